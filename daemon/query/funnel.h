#pragma once

#include "daemon/model/funnel.h"
#include "daemon/query/budget.h"
#include "daemon/query/cores.h"
#include "daemon/query/event_batch.h"

namespace analytics::query {

/// Counts how far visitors came in a funnel, in one reading of the events. Throws LimitReached, and
/// what `events` throws. REQUIRES: `events` are those of the selection's site.
[[nodiscard]] FunnelVisitors count_funnel(const FunnelQuery& funnel, EventSource& events,
                                          Budget& budget, Cores& cores);

}  // namespace analytics::query
