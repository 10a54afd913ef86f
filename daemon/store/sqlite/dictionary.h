#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/secret.h"
#include "common/time.h"
#include "daemon/model/site.h"
#include "daemon/store/sqlite/event_fields.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/sqlite/string_table.h"
#include "daemon/store/sqlite/text_budget.h"

namespace analytics::sqlite {

/// Texts of events as small numbers: per site and kind 1, 2, 3 … in order of first sight. Used
/// inside the writer's transactions; a bounded cache spares nearly every look-up.
class Dictionary {
 public:
  /// New texts over the limits are stored as "(other)": see TextBudget. Both references must
  /// outlive this object.
  Dictionary(Connection& connection, StringTable& table, const store::StoreLimits& limits);

  void set_limits(const store::StoreLimits& limits) { budget_.set_limits(limits); }

  /// Returns the numbers of an event's texts. New texts get one.
  FieldNumbers numbers(const Event& event, const TextSource& source);
  /// Returns the number of a text that is no field of an event: it has no limits, and does not take
  /// the place of those in memory.
  std::int64_t number(SiteId site, StringKind kind, std::string_view text);
  [[nodiscard]] std::vector<store::ReplacedTexts> take_replaced() {
    return budget_.take_replaced();
  }

  /// Removes a text that nothing uses any more.
  void remove(SiteId site, const StringTable::Stored& text);

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
  /// How a new text may go in.
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
  // Two generations: when the young one is full the old one goes. Bounds memory, keeps what is hot.
  std::unordered_map<Key, std::int64_t, KeyHash> young_;
  std::unordered_map<Key, std::int64_t, KeyHash> old_;
  std::vector<Fresh> fresh_;
};

}  // namespace analytics::sqlite
