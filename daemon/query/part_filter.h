#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "daemon/query/filter_plan.h"
#include "daemon/query/part_lists.h"

namespace analytics::query {

/// A filter prepared for reading one part. Conditions on texts are evaluated once for each code of
/// the part, before its events are read.
class PartFilter {
 public:
  /// Must be called under `mutex`, the mutex of the PartRunner. The arguments must outlive the
  /// object.
  PartFilter(FilterPlan& plan, EventPart& part, std::mutex& mutex);

  /// Returns true if the filter accepts or refuses all events of a visit alike.
  [[nodiscard]] bool judges_visits() const { return judges_visits_; }
  /// Removes the rows that the filter does not accept. Rows may be visits only if judges_visits().
  void keep_accepted(PartRows& block, RowList& rows);
  /// keep_visits() and keep_events() together do the same as keep_accepted(). keep_visits() removes
  /// visits by the conditions on visits, and keep_events() removes events by the other conditions.
  void keep_visits(PartRows& block, RowList& visits);
  void keep_events(PartRows& block, RowList& events);
  /// Returns true if keep_visits() can refuse a visit.
  [[nodiscard]] bool refuses_visits() const;

 private:
  // Each kind of filter uses some of these members.
  const Filter::Kind kind_;
  bool judges_visits_ = true;
  std::vector<PartFilter> parts_;
  Column column_ = Column::kName;  ///< Column whose codes are the indexes of accepted_codes_.
  /// For a condition on texts: for each code, 1 if the condition accepts it, else 0.
  std::vector<std::uint8_t> accepted_codes_;
  GoalCondition* goal_ = nullptr;   ///< For a condition on goals: the condition.
  std::optional<PartLists> goals_;  ///< For a condition on goals: the goals that events meet.
  std::vector<char> done_;  ///< For kHasDone: for each visit, 1 if the filter accepts it, else 0.
};

}  // namespace analytics::query
