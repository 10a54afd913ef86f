#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "daemon/model/groups.h"
#include "daemon/model/query.h"
#include "daemon/query/events/budget.h"
#include "daemon/totals/day_totals.h"
#include "daemon/totals/totals_source.h"

namespace analytics::totals {

/// Translates between the texts of a dimension's values and their ids in daily totals. Throws the
/// store's errors.
class ValueTexts {
 public:
  virtual ~ValueTexts() = default;
  /// Returns true if the values have the same ids in daily totals as in events.
  [[nodiscard]] virtual bool are_of_events() const = 0;
  [[nodiscard]] virtual std::string text(std::uint32_t value) = 0;
  /// Returns the id that a value with this text has in daily totals; 0 if the text has no id.
  [[nodiscard]] virtual std::uint32_t number(std::string_view text) = 0;
};

/// Decides for each value of a totals::Source whether its totals count for a query, and which goals
/// it meets. Caches the answers.
class SourceValues {
 public:
  /// The references must outlive the object.
  SourceValues(const Source& source, ValueTexts& texts, query::Budget& budget)
      : source_(source), texts_(texts), charges_(budget) {}

  /// Returns true if the totals of the value count for the query.
  [[nodiscard]] bool count(std::uint32_t value);
  using Places = std::vector<std::uint32_t>;
  /// Returns the indexes of the `groups` with at least one goal that the value meets.
  [[nodiscard]] const Places& goals(std::uint32_t value, const std::vector<GoalGroup>& groups);

 private:
  [[nodiscard]] std::string text(std::uint32_t value) {
    return value == 0 ? std::string() : texts_.text(value);
  }

  const Source& source_;
  ValueTexts& texts_;
  query::Charges charges_;
  std::unordered_map<std::uint32_t, bool> verdicts_;
  std::unordered_map<std::uint32_t, Places> goals_;
};

/// Adds daily totals to the groups that a grouping found in events. A total is added to the group
/// of the same value or time bucket, or to a new group. First totals are added, then overlaps (see
/// kOverlap) subtracted; finish() makes the groups readable.
class AddedTotals final : public Groups {
 public:
  struct Day {
    UnixSeconds begin;
    std::span<const ValueSums> sums;
    /// True if the totals were imported, false if they were computed from events.
    bool are_imported = false;
  };

  /// `found`: the groups of `grouping`, which has at most one dimension. `texts`: the texts of the
  /// dimension's values in totals. The references must outlive this object.
  AddedTotals(std::unique_ptr<Groups> found, const Grouping& grouping, ValueTexts& texts,
              query::Budget& budget);

  /// Adds the totals of a day. Depending on the grouping, adds them to the only group, to the group
  /// of the day's time bucket, of each value, or of each goal that a value meets. When grouped by
  /// value, skips imported totals of visits without a campaign or a place, as Plausible does.
  /// Throws LimitReached if the query's memory or time is used up.
  void add(const Day& day, SourceValues& values);
  /// Subtracts the overlap of a day with the day before (see kOverlap) from groups in which both
  /// days count. REQUIRES: the totals or the events of both days are added.
  void subtract_overlap(const Day& day, UnixSeconds begin_of_day_before, SourceValues& values);
  /// Completes the groups: must be called after the last change. Leaves out groups whose sums are
  /// all 0.
  void finish();

  [[nodiscard]] std::size_t size() const override { return shown_.size(); }
  [[nodiscard]] Sums sums(std::size_t group) override;
  [[nodiscard]] std::size_t bucket(std::size_t group) const override;
  [[nodiscard]] std::uint32_t value(std::size_t group, std::size_t dimension) const override;
  [[nodiscard]] Space space(std::size_t dimension) const override;
  [[nodiscard]] std::string text(std::size_t dimension, std::uint32_t value) override;

 private:
  /// Kind of the keys by which totals are grouped.
  enum class By { kNothing, kTime, kGoal, kValue };
  /// Bit that marks the values of new groups, unless values have the same ids in totals and
  /// events. No value of `found_` has it.
  static constexpr std::uint32_t kNew = 1u << 31;

  [[nodiscard]] static By by(const Grouping& grouping);
  void learn_group(std::size_t group);
  [[nodiscard]] std::optional<std::uint32_t> bucket_at(UnixSeconds time) const;
  /// For each value of the day and each group in which it counts, calls `change` with the group's
  /// added sums and the value's sums.
  template <typename Change>
  void change_groups(const Day& day, SourceValues& values, const Change& change);
  [[nodiscard]] Sums sums_at(std::size_t place);
  DaySums& added(std::uint32_t key);

  const std::unique_ptr<Groups> found_;
  const Grouping& grouping_;
  ValueTexts& texts_;
  query::Charges charges_;
  const By by_;
  /// Sums of the totals added to each group. The groups of found_ come first, then new groups.
  std::vector<DaySums> added_;
  std::vector<std::size_t> shown_;   ///< Index in added_ of each group that is left after finish().
  std::vector<std::uint32_t> keys_;  ///< Key in groups_ of each new group.
  /// Index of each group in added_. Key: id of the group's value, index of its time bucket, or
  /// index of its goal in Grouping::goals.
  std::unordered_map<std::uint32_t, std::size_t> groups_;
  /// Id of the value whose text equals the text shown for an empty value, so that this value counts
  /// as empty; 0 if no value has this text.
  std::uint32_t as_empty_ = 0;
};

}  // namespace analytics::totals
