#pragma once

#include <span>

#include "common/wire/caveats.h"
#include "daemon/stats/answer.h"

namespace analytics {

/// Adds the caveats about the query's range alone, in one piece: partial_until and sum_of_days.
void add_caveats_of_range(const Query& query, UnixSeconds now, Caveats& caveats);

/// Adds what the extent says: up_to and behind.
void add_extent(const store::Extent& extent, Caveats& caveats);

/// Returns the caveats of a reply that combines several answers. The first query is the requested
/// one; the others are comparisons. REQUIRES: as many answers as queries, and at least one.
[[nodiscard]] Caveats caveats_of(std::span<const Query> queries, std::span<const Answer> answers,
                                 UnixSeconds now);

}  // namespace analytics
