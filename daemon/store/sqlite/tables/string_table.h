#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/secret.h"
#include "daemon/model/client.h"
#include "daemon/model/site.h"
#include "daemon/store/sqlite/db/event_fields.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Returns the secret key with which this file's texts are hashed; all zero before the writer has
/// created it.
[[nodiscard]] HashKey read_hash_key(Connection& connection);

/// Returns the maximum size, in bytes, of a stored text of the kind. Readers treat a longer text
/// as damage, because they keep thousands of texts in memory.
[[nodiscard]] std::int64_t most_bytes_of(StringKind kind);
/// Read a text from a column, a Client from the columns 0 to 4 or a Place from the columns 0 to 2.
/// They throw a SqliteError that reports damage if a text is too long.
[[nodiscard]] std::string read_text(const Rows& row, int column, StringKind kind);
[[nodiscard]] Client read_client(const Rows& row);
[[nodiscard]] Place read_place(const Rows& row);

/// Stores the texts of events, by site, kind and id. Owns the tables strings, clients and places.
/// Used inside the writer's transactions; throws SqliteError.
class StringTable {
 public:
  explicit StringTable(Connection& connection);  ///< `connection` must outlive this object.

  /// Returns the id of the text with that keyed hash; nullopt if there is no such text.
  [[nodiscard]] std::optional<std::int64_t> find(SiteId site, StringKind kind, std::uint64_t hash);
  /// Returns the highest id of the site's texts of the kind; 0 if there are no texts.
  [[nodiscard]] std::int64_t last(SiteId site, StringKind kind);
  /// Adds a text with the id `id`. For clients and places, `text` is empty, and insert_parts()
  /// must add their parts.
  void insert(SiteId site, StringKind kind, std::int64_t id, std::uint64_t hash,
              std::string_view text);
  /// Adds the parts of the client or place with the id `id`.
  void insert_parts(SiteId site, std::int64_t id, const Client& client);
  void insert_parts(SiteId site, std::int64_t id, const Place& place);

  /// A stored text, without its value.
  struct Stored {
    StringKind kind{};
    std::int64_t id = 0;
    std::uint64_t hash = 0;
  };
  /// Returns up to `most` texts of the site that follow `after` in order of kind and id.
  [[nodiscard]] std::vector<Stored> page(SiteId site, const Stored& after, std::int64_t most);
  void remove(SiteId site, const Stored& text);
  /// Deletes some texts of a deleted site. Returns true while there is more to do.
  bool remove_some(SiteId site, std::int64_t most);

 private:
  Connection& connection_;
  Statement find_;
  Statement last_;
  Statement insert_;
  Statement insert_client_;
  Statement insert_place_;
  Statement page_;
  Statement remove_;
};

}  // namespace analytics::sqlite
