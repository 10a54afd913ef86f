#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daemon/store/sqlite/flat_table.h"
#include "daemon/store/sqlite/stats_columns.h"

namespace analytics::sqlite {

/// Counts in how many of some groups each of many things is, once a group. Most things are in one
/// group, or leave one for good: the last of each is at hand, and only what comes and goes is
/// looked up.
class DistinctCounter {
 public:
  /// True: the thing was not in the group yet.
  bool insert(std::uint32_t thing, std::uint32_t group) {
    if (thing >= last_.size()) grow(thing);
    auto& last = last_[thing];
    if (last == group) return false;
    const bool is_first = last == kNone;
    if (!is_first) others_.insert(key(thing, last));
    last = group;
    return is_first || others_.insert(key(thing, group));
  }
  [[nodiscard]] std::size_t memory() const {
    return last_.capacity() * sizeof(last_[0]) + others_.memory();
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static std::uint64_t key(std::uint32_t thing, std::uint32_t group) {
    return std::uint64_t{thing} << 32 | group;
  }
  void grow(std::uint32_t thing);

  std::vector<std::uint32_t> last_;  ///< Group, by thing.
  FlatSet others_;                   ///< Groups of things that have been in several.
};

/// Adds events up by one grouping.
class Tally {
 public:
  /// Both arguments must outlive the tally.
  Tally(const Grouping& grouping, DictionaryReader& texts);

  /// `visitor` and `visit` are numbers of their own for this scan.
  void add(const EventRow& row, std::uint32_t visitor, std::uint32_t visit);
  [[nodiscard]] std::vector<Group> finish();
  [[nodiscard]] std::size_t memory() const;  ///< Bytes that are not charged to the budget.

 private:
  /// A dimension: the groups so far, each told apart by its values.
  struct Level {
    std::optional<Column> column;  ///< One of these three.
    std::optional<TimeColumn> time;
    std::unique_ptr<ListColumn> list;
    Numbering groups;  ///< Numbers each pair of a group of the level above and a value.
    std::vector<std::uint64_t> keys;  ///< By group.
  };

  /// Into every group that the dimensions from `depth` on tell apart below this one.
  void descend(const EventRow& row, std::size_t depth, std::uint32_t group);
  void add_to(const EventRow& row, std::uint32_t group);
  std::uint32_t group_of(Level& level, std::uint32_t above, std::uint32_t value);
  [[nodiscard]] std::string text_of(const Level& level, std::uint32_t value) const;

  const Grouping& grouping_;
  DictionaryReader& texts_;
  std::vector<Level> levels_;
  std::vector<Sums> sums_;  ///< By group of the last level.
  DistinctCounter visitors_;
  DistinctCounter visits_;
  std::uint64_t additions_ = 0;
  std::uint32_t visitor_ = 0;  ///< The visitor of the event that is being added.
  std::uint32_t visit_ = 0;
};

/// Adds what the grouping is made of.
void ask_for(const Grouping& grouping, Columns& columns);

}  // namespace analytics::sqlite
