#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "daemon/query/filter_plan.h"
#include "daemon/query/part_lists.h"

namespace analytics::query {

/// A filter prepared for one part: each code of a text is judged before the part is read.
class PartFilter {
 public:
  /// Called under `mutex`, which is that of the part's runner. The arguments must outlive the
  /// object.
  PartFilter(FilterPlan& plan, EventPart& part, std::mutex& mutex);

  /// True if it accepts or refuses all events of a visit alike.
  [[nodiscard]] bool judges_visits() const { return judges_visits_; }
  /// Removes the rows that the filter does not accept. The rows are visits only if it
  /// judges_visits().
  void keep_accepted(PartRows& block, RowList& rows);
  /// These two do the same in two steps: first visits by what is known of visits, then their events
  /// by the rest.
  void keep_visits(PartRows& block, RowList& visits);
  void keep_events(PartRows& block, RowList& events);
  /// True if keep_visits() can refuse a visit.
  [[nodiscard]] bool refuses_visits() const;

 private:
  // Each kind has its own of these.
  const Filter::Kind kind_;
  bool judges_visits_ = true;
  std::vector<PartFilter> parts_;
  Column column_ = Column::kName;             ///< The column of accepted_codes_.
  std::vector<std::uint8_t> accepted_codes_;  ///< A condition on texts has 1 or 0 by code.
  GoalCondition* goal_ = nullptr;             ///< A condition on goals has this,
  std::optional<PartLists> goals_;            ///< and these.
  std::vector<char> done_;                    ///< A kHasDone has 1 or 0 by visit.
};

}  // namespace analytics::query
