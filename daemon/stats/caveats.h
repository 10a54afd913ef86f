#pragma once

#include <span>

#include "common/caveats.h"
#include "daemon/stats/answer.h"

namespace analytics {

/// Returns what a reader has to know of answers to queries that make one reply: the first is what
/// was asked, the others are what it is compared with. REQUIRES: as many answers as queries, and
/// one at least.
[[nodiscard]] Caveats caveats_of(std::span<const Query> queries, std::span<const Answer> answers,
                                 UnixSeconds now);

}  // namespace analytics
