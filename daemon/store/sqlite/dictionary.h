#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/secret.h"
#include "common/time.h"
#include "daemon/model/site.h"
#include "daemon/store/sqlite/schema.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/sqlite/text_budget.h"

namespace analytics::sqlite {

/// Texts of events as small numbers: per site and kind 1, 2, 3 … in order of first sight. Used
/// inside the writer's transactions; a bounded cache spares nearly every look-up.
class Dictionary {
 public:
  /// New texts over the limits are stored as "(other)": see TextBudget.
  Dictionary(Connection& connection, const store::StoreLimits& limits);

  /// The number of `text`, made if it is new.
  std::int64_t id(SiteId site, StringKind kind, std::string_view text, const TextSource& source);
  /// Empty text is absent: NULL.
  std::optional<std::int64_t> maybe_id(SiteId site, StringKind kind, std::string_view text,
                                       const TextSource& source);
  [[nodiscard]] std::vector<store::ReplacedTexts> take_replaced() {
    return budget_.take_replaced();
  }

  /// The text was removed from the file.
  void forget(SiteId site, StringKind kind, std::uint64_t hash);

  /// After the transaction: what was learned in it stays, or is forgotten with it.
  void committed();
  void rolled_back();

 private:
  struct Key {
    SiteId site;
    StringKind kind;
    std::uint64_t
        hash;  ///< Keyed with a secret of this file, so that nobody can make two texts equal.
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return key.hash ^ (static_cast<std::uint64_t>(key.site) * 0x9E3779B97F4A7C15u);
    }
  };

  std::int64_t find_or_insert(const Key& key, std::string_view text, const TextSource& source);
  /// How a new text may go in.
  enum class Entry { kPaid, kFree, kNone };
  Entry entry_of(const Key& key, std::string_view text, const TextSource& source);
  std::int64_t next_id(SiteId site, StringKind kind);
  void insert(const Key& key, std::int64_t id, std::string_view text);
  void remember(const Key& key, std::int64_t id);

  /// A text that was new in this transaction.
  struct Fresh {
    Key key;
    std::size_t bytes = 0;
    TextSource source;
    Entry entry{};  ///< kNone: "(other)" was stored instead.
  };

  TextBudget budget_;
  HashKey hash_key_{};
  Statement find_;
  Statement insert_;
  Statement insert_client_;
  Statement insert_place_;
  Statement last_;
  Statement find_goal_;
  // Two generations: when the young one is full the old one goes. Bounds memory, keeps what is hot.
  std::unordered_map<Key, std::int64_t, KeyHash> young_;
  std::unordered_map<Key, std::int64_t, KeyHash> old_;
  std::vector<Fresh> fresh_;
};

}  // namespace analytics::sqlite
