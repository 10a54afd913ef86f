#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "daemon/store/journal_rows.h"
#include "daemon/store/sqlite/db/event_fields.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Looks up the texts of events of all sites. Caches them during a single snapshot, because an id
/// may later mean another text. Throws SqliteError.
class JournalTexts {
 public:
  explicit JournalTexts(Connection& connection);  ///< `connection` must outlive this object.

  /// Clears the cache, which invalidates all views that were returned. Called at the beginning of
  /// each snapshot.
  void forget();
  [[nodiscard]] std::string_view text(SiteId site, StringKind kind, std::int64_t number);
  /// Sets `texts` from the columns of journal_columns(), the first of which is `column` of the row.
  /// `from`: index in query::kOwnColumns of the first column, 0 or kFirstVisitText.
  void read(const Rows& row, int column, SiteId site, std::size_t from,
            std::span<std::string_view> texts);

 private:
  struct Key {
    SiteId site;
    int kind;
    std::int64_t number;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& key) const;
  };
  [[nodiscard]] const Client& client(SiteId site, std::int64_t number);
  [[nodiscard]] const Place& place(SiteId site, std::int64_t number);
  [[nodiscard]] std::string_view language(std::int64_t number);

  Statement text_;
  Statement client_;
  Statement place_;
  std::unordered_map<Key, std::string, KeyHash> texts_;
  std::unordered_map<Key, Client, KeyHash> clients_;
  std::unordered_map<Key, Place, KeyHash> places_;
  std::unordered_map<std::int64_t, std::string> languages_;
};

/// Returns the columns of the table events that JournalTexts::read() reads, as ", e.name,
/// e.hostname, …", to append to a list of columns. `event`: alias of the table in the statement.
/// `from`: as for read().
[[nodiscard]] std::string journal_columns(const std::string& event, std::size_t from);

}  // namespace analytics::sqlite
