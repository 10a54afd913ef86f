#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/run/secret.h"
#include "common/text/time.h"
#include "daemon/model/site.h"
#include "daemon/store/sqlite/db/event_fields.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/db/text_budget.h"
#include "daemon/store/sqlite/tables/string_table.h"

namespace analytics::sqlite {

/// Maps texts of events to small numbers: 1, 2, 3 … per site and kind, in order of first use. Used
/// inside the writer's transactions. A bounded cache saves nearly every look-up.
class Dictionary {
 public:
  /// New texts over the limits are stored as "(other)": see TextBudget. Both references must
  /// outlive this object.
  Dictionary(Connection& connection, StringTable& table, const store::StoreLimits& limits);

  void set_limits(const store::StoreLimits& limits) { budget_.set_limits(limits); }

  /// Returns the numbers of an event's texts. New texts get new numbers.
  FieldNumbers numbers(const Event& event, const TextSource& source);
  /// Returns the number of a text that is not a field of an event. Such texts are not limited and
  /// do not enter the cache.
  std::int64_t number(SiteId site, StringKind kind, std::string_view text);
  [[nodiscard]] std::vector<store::ReplacedTexts> take_replaced() {
    return budget_.take_replaced();
  }

  /// Removes a text that is no longer used.
  void remove(SiteId site, const StringTable::Stored& text);

  /// Called after the transaction, to keep or to forget the numbers that were learned in it.
  void committed();
  void rolled_back();

 private:
  struct Key {
    SiteId site;
    StringKind kind;
    std::uint64_t hash;  ///< Keyed with this file's secret, to prevent forged collisions.
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return key.hash ^ (static_cast<std::uint64_t>(key.site) * 0x9E3779B97F4A7C15u);
    }
  };

  std::int64_t number(SiteId site, StringKind kind, std::string_view text,
                      const TextSource& source);
  template <typename Parts>
  std::optional<std::int64_t> number_of_parts(SiteId site, StringKind kind, const Parts& parts,
                                              const TextSource& source);
  [[nodiscard]] Key key_of(SiteId site, StringKind kind, std::string_view text) const;
  std::optional<std::int64_t> find_cached(const Key& key);
  /// Finds the text in the file, or calls `insert` with a new number.
  template <typename Insert>
  std::int64_t find_or_insert(const Key& key, std::string_view text, const TextSource& source,
                              Insert insert);
  /// How a new text is stored: charged to the budget, free of charge, or not at all.
  enum class Entry { kPaid, kFree, kNone };
  Entry entry_of(const Key& key, std::string_view text, const TextSource& source);
  void remember(const Key& key, std::int64_t id);

  /// A text that was new in this transaction.
  struct Fresh {
    Key key;
    std::size_t bytes = 0;
    TextSource source;
    Entry entry{};  ///< kNone: "(other)" was stored instead.
  };

  StringTable& table_;
  TextBudget budget_;
  HashKey hash_key_{};
  Statement find_goal_;
  // Two generations of the cache: when the young one is full, it replaces the old one. This bounds
  // memory but keeps texts that are in use.
  std::unordered_map<Key, std::int64_t, KeyHash> young_;
  std::unordered_map<Key, std::int64_t, KeyHash> old_;
  std::vector<Fresh> fresh_;
};

}  // namespace analytics::sqlite
