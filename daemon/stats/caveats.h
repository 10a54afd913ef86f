#pragma once

#include <span>

#include "common/wire/caveats.h"
#include "daemon/stats/answer.h"

namespace analytics {

/// Returns the caveats of a reply that combines several answers. The first query is the requested
/// one; the others are comparisons. REQUIRES: as many answers as queries, and at least one.
[[nodiscard]] Caveats caveats_of(std::span<const Query> queries, std::span<const Answer> answers,
                                 UnixSeconds now);

}  // namespace analytics
