#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "daemon/query/conditions.h"
#include "daemon/query/events/flat_table.h"
#include "daemon/query/part_runner.h"

namespace analytics::query {

/// Adds to `columns` those that the filter's conditions read.
void add_columns_of(const Filter& filter, ColumnSet& columns);

/// A filter prepared for reading many events. It evaluates each text once, and caches the result
/// under the text's id.
class FilterPlan {
 public:
  /// Reads the events of the range once for each kHasDone in the filter, to find the visits that
  /// this kHasDone accepts. `numbers` must outlive the object. Throws LimitReached if the query's
  /// budget is used up.
  FilterPlan(const Filter& filter, const TimeRange& range, EventSource& events, PartRunner& parts,
             ConditionNumbers& numbers);
  /// Prepares a filter for batches that contain whole visits, in which kHasDone searches the rows
  /// of the batch and no events are read in advance. `engagement`: id of the event name
  /// `engagement`; such an event cannot make kHasDone accept a visit.
  FilterPlan(const Filter& filter, std::int64_t engagement, ConditionNumbers& numbers);

  /// Removes the rows that the filter does not accept.
  void keep_accepted(const EventBatch& batch, RowList& rows);
  /// Returns the memory that the plan uses but has not charged to the budget, in bytes.
  [[nodiscard]] std::size_t memory() const;

  // PartFilter uses the next five functions.
  [[nodiscard]] Filter::Kind kind() const { return kind_; }
  [[nodiscard]] std::vector<FilterPlan>& parts() { return parts_; }
  [[nodiscard]] ValueCondition* value() { return value_.get(); }
  [[nodiscard]] GoalCondition* goal() { return goal_.get(); }
  /// Returns for each visit of the part 1 if the filter accepts it, else 0. REQUIRES: kind() is
  /// kHasDone.
  [[nodiscard]] std::vector<char> visits_of(EventPart& part);

 private:
  class VisitSearch;

  /// Prepares value_ or goal_. Returns false if the filter is not of kind kValue.
  bool prepare_value(const Filter& filter, ConditionNumbers& numbers);
  void find_visits(const Filter& part, const TimeRange& range, EventSource& events,
                   PartRunner& parts, const Budget& budget);
  void find_visits(const EventBatch& batch);
  [[nodiscard]] bool has_done(std::int64_t visit);

  Filter::Kind kind_;
  std::vector<FilterPlan> parts_;
  /// The condition of a filter of kind kValue on a dimension other than goals; else null.
  std::unique_ptr<ValueCondition> value_;
  /// The condition of a filter of kind kValue on goals; else null.
  std::unique_ptr<GoalCondition> goal_;
  /// Ids of the visits that kHasDone accepts, except visits whose events are all in one part: see
  /// visits_of_parts_.
  FlatSet visits_;
  /// Id of the event name `engagement`; set if batches contain whole visits.
  std::optional<std::int64_t> engagement_;
  /// For each part, by index of the visit in the part: 1 if kHasDone accepts the visit, else 0.
  std::map<PartId, std::vector<char>> visits_of_parts_;
};

}  // namespace analytics::query
