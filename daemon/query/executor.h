#pragma once

#include <memory>
#include <vector>

#include "daemon/model/groups.h"
#include "daemon/query/budget.h"
#include "daemon/query/cores.h"
#include "daemon/query/event_batch.h"

namespace analytics::query {

/// Sums the selected events by each grouping, in one reading of the events for all groupings and
/// one more for each `has_done` of the filter. Returns the groups of each grouping; one without
/// dimensions has exactly one group. Throws LimitReached, and what `events` throws.
///
/// Only numbers of values are compared and counted. REQUIRES: `events` are those of the selection's
/// site. All arguments must outlive what is returned, whose memory stays charged to `budget`. Parts
/// are read on several threads while some of `cores` are idle.
[[nodiscard]] std::vector<std::unique_ptr<Groups>> aggregate(const Aggregation& aggregation,
                                                             EventSource& events, Budget& budget,
                                                             Cores& cores);

}  // namespace analytics::query
