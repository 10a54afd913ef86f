#pragma once

#include "daemon/model/funnel.h"
#include "daemon/query/events/budget.h"
#include "daemon/query/events/cores.h"
#include "daemon/query/events/event_batch.h"

namespace analytics::query {

/// Counts how many visitors reached each step of a funnel. Reads the events once for the steps, and
/// once more for each `has_done` of the filter. Throws LimitReached if the budget is used up, and
/// the errors of `all`. REQUIRES: `all` are the events of the selection's site.
[[nodiscard]] FunnelVisitors count_funnel(const FunnelQuery& query, EventSource& all,
                                          Budget& budget, Cores& cores);

}  // namespace analytics::query
