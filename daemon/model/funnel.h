#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/wire/funnel.h"
#include "daemon/model/goal.h"
#include "daemon/model/query.h"

namespace analytics {

/// A site's named sequence of steps, for counting how many visitors reach each step.
struct Funnel {
  SiteId site = 0;
  std::string name;  ///< Name, unique within the site.
  FunnelWithin within = FunnelWithin::kVisit;
  std::vector<FunnelStep> steps;
  bool operator==(const Funnel&) const = default;
};

/// Maximum number of funnels that a site may have.
inline constexpr std::int64_t kMaxFunnels = 100;

/// Returns a goal that is met by the same events as the step. It is not stored: its ids are 0.
[[nodiscard]] inline Goal goal_of(const FunnelStep& step) {
  return {0, 0, step.type, step.value, {}};
}

/// A query that counts how many visitors reached each step of a funnel. A visitor must take the
/// steps in order of time, each by a different event; other events between them do not matter.
/// Only events in `selection` count.
struct FunnelQuery {
  Selection selection;
  FunnelWithin within = FunnelWithin::kVisit;
  std::vector<Goal> steps;  ///< Steps of the funnel, at most kMaxFunnelSteps.
};

/// For each step: the number of visitors who took it and all steps before it. A visitor counts
/// once, with the visit or day in which they took the most steps.
using FunnelVisitors = std::vector<std::int64_t>;

}  // namespace analytics
