#pragma once

#include <span>

#include "common/wire/caveats.h"
#include "daemon/stats/answer.h"

namespace analytics {

/// Sets partial_until and sum_of_days, which depend only on the query's range and metrics. Treats
/// the range as a whole, whatever its time buckets are.
void add_caveats_of_range(const Query& query, UnixSeconds now, Caveats& caveats);

/// Sets up_to and behind, which tell how complete the data of a cluster is.
void add_extent(const store::Extent& extent, Caveats& caveats);

/// Returns the caveats of a reply that combines several answers. The first query is the requested
/// one. It alone decides about all caveats except removal_running, recognition_lost and totals,
/// which come from all answers. REQUIRES: as many answers as queries, and at least one.
[[nodiscard]] Caveats caveats_of(std::span<const Query> queries, std::span<const Answer> answers,
                                 UnixSeconds now);

}  // namespace analytics
