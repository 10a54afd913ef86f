#pragma once

#include <memory>
#include <vector>

#include "daemon/model/groups.h"
#include "daemon/query/events/budget.h"
#include "daemon/query/events/cores.h"
#include "daemon/query/events/event_batch.h"

namespace analytics::query {

/// Sums the selected events by each grouping. Reads the events once for all groupings, and once
/// more for each `has_done` of the filter. Returns the groups of each grouping; a grouping without
/// dimensions has exactly one group. Throws LimitReached if the budget is used up, and the errors
/// of `events`.
///
/// Parts are read on several threads while some of `cores` are idle. REQUIRES: `events` are those
/// of the selection's site. All arguments must outlive the result, whose memory stays charged to
/// `budget`.
[[nodiscard]] std::vector<std::unique_ptr<Groups>> aggregate(const Aggregation& aggregation,
                                                             EventSource& events, Budget& budget,
                                                             Cores& cores);

}  // namespace analytics::query
