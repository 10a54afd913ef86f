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

/// Maps texts of events to small ids: 1, 2, 3 … per site and kind, in order of first use. Used
/// inside the writer's transactions. A bounded cache answers nearly all look-ups.
class Dictionary {
 public:
  /// New texts that exceed `limits` are stored as "(other)": see TextBudget. `connection` and
  /// `table` must outlive this object.
  Dictionary(Connection& connection, StringTable& table, const store::StoreLimits& limits);

  void set_limits(const store::StoreLimits& limits) { budget_.set_limits(limits); }

  /// Returns the ids of an event's texts. Gives new ids to new texts and stores them. `source`: the
  /// sender whose limits new texts count against.
  FieldNumbers numbers(const Event& event, const TextSource& source);
  /// Returns the id of a text that is not a field of an event, such as a value of daily totals.
  /// Stores the text if it is new. Such texts are not limited and not cached.
  std::int64_t number(SiteId site, StringKind kind, std::string_view text);
  /// Returns counts of the texts that were stored as "(other)" since the last call.
  [[nodiscard]] std::vector<store::ReplacedTexts> take_replaced() {
    return budget_.take_replaced();
  }

  /// Deletes a text that no event uses any more.
  void remove(SiteId site, const StringTable::Stored& text);

  /// Called after a transaction, to keep or forget the ids that were given to new texts in it.
  void committed();
  void rolled_back();

 private:
  struct Key {
    SiteId site;
    StringKind kind;
    /// Hash of the text, keyed with the file's secret to prevent forged collisions.
    std::uint64_t hash;
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
  /// Returns the id of a text that is not in the cache. If the file does not have the text, calls
  /// `insert` with a new id, or returns the id of "(other)" if the text exceeds a limit.
  template <typename Insert>
  std::int64_t find_or_insert(const Key& key, std::string_view text, const TextSource& source,
                              Insert insert);
  /// Defines how a new text is stored: counted against the limits, not counted, or not at all.
  enum class Entry { kPaid, kFree, kNone };
  Entry entry_of(const Key& key, std::string_view text, const TextSource& source);
  void remember(const Key& key, std::int64_t id);

  /// A text that is new in this transaction.
  struct Fresh {
    Key key;
    std::size_t bytes = 0;
    TextSource source;
    Entry entry{};  ///< How the text was stored; kNone if "(other)" was stored in its place.
  };

  StringTable& table_;
  TextBudget budget_;
  HashKey hash_key_{};
  Statement find_goal_;
  // Two generations of the cache: when young_ is full, it replaces old_. This bounds memory and
  // keeps texts that are in use.
  std::unordered_map<Key, std::int64_t, KeyHash> young_;
  std::unordered_map<Key, std::int64_t, KeyHash> old_;
  std::vector<Fresh> fresh_;
};

}  // namespace analytics::sqlite
