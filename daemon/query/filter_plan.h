#pragma once

#include <map>
#include <memory>
#include <vector>

#include "daemon/query/flat_table.h"
#include "daemon/query/part_rows.h"
#include "daemon/query/value_numbers.h"

namespace analytics::query {

/// The numbers that the conditions of one query compare. Conditions on the same dimension share
/// them, so that each text is kept once however many conditions there are.
class ConditionNumbers {
 public:
  /// The arguments must outlive the object. `goals`: those that conditions on goals refer to.
  ConditionNumbers(const std::vector<Goal>& goals, Texts& texts, Budget& budget);

  [[nodiscard]] ValueNumbers& values(const Dimension& dimension);
  [[nodiscard]] GoalNumbers& goals() { return goal_numbers_; }
  /// One group per goal, in their order.
  [[nodiscard]] const std::vector<GoalGroup>& goal_groups() const { return goal_groups_; }
  [[nodiscard]] Budget& budget() { return budget_; }

 private:
  Texts& texts_;
  Budget& budget_;
  std::vector<std::pair<Dimension, std::unique_ptr<ValueNumbers>>> values_;
  const std::vector<GoalGroup> goal_groups_;
  GoalNumbers goal_numbers_;
};

/// Adds the columns that the filter's conditions read.
void add_columns_of(const Filter& filter, ColumnSet& columns);

/// A filter prepared for one scan: each text is judged once, and its number remembered.
class FilterPlan {
 public:
  /// Reads the events of the range once for each kHasDone, to find its visits. `numbers` must
  /// outlive the object. Throws LimitReached.
  FilterPlan(const Filter& filter, const TimeRange& range, EventSource& events,
             ConditionNumbers& numbers);
  ~FilterPlan();
  FilterPlan(FilterPlan&&) noexcept;
  FilterPlan& operator=(FilterPlan&&) = delete;

  /// Removes the rows that the filter does not accept.
  void keep_accepted(const EventBatch& batch, RowList& rows);
  /// The same of a part's block. `rows` are of visits only if the filter reads no column of events.
  void keep_accepted(PartRows& block, RowList& rows);
  /// Bytes that are not charged to the budget.
  [[nodiscard]] std::size_t memory() const;

 private:
  class ValueCondition;
  class GoalCondition;

  template <typename Rows>
  void keep(Rows& batch, RowList& rows);
  template <typename Rows>
  void keep_any(Rows& batch, RowList& rows);
  void keep_done(const EventBatch& batch, RowList& rows);
  void keep_done(PartRows& block, RowList& rows);
  void find_visits(const Filter& part, const TimeRange& range, EventSource& events,
                   const Budget& budget);
  void find_visits(EventPart& part, const TimeRange& range, const ColumnSet& columns,
                   const Budget& budget);

  Filter::Kind kind_;
  std::vector<FilterPlan> parts_;
  std::unique_ptr<ValueCondition> value_;  ///< kValue has this or the next.
  std::unique_ptr<GoalCondition> goal_;
  FlatSet visits_;  ///< The visits of kHasDone, but for those that are in one part alone:
  std::map<PartId, std::vector<char>> visits_of_parts_;  ///< By place, if they have done it.
};

}  // namespace analytics::query
