#pragma once

#include <vector>

#include "daemon/query/budget.h"
#include "daemon/query/cores.h"
#include "daemon/query/event_batch.h"

namespace analytics::query {

/// Sums the selected events by each grouping, in one reading of the events for all groupings and
/// one more for each `has_done` of the filter. Returns a list of groups for each grouping; one
/// without dimensions has exactly one group. Throws LimitReached, and what `events` throws.
///
/// Values become small numbers in each column, and only these are compared and counted; each text
/// is looked up once. REQUIRES: `events` are those of the selection's site. The groups' memory
/// stays charged to `budget`. Parts are read on several threads while some of `cores` are idle.
[[nodiscard]] std::vector<std::vector<Group>> aggregate(const Aggregation& aggregation,
                                                        EventSource& events, Budget& budget,
                                                        Cores& cores);

}  // namespace analytics::query
