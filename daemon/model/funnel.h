#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/funnel.h"
#include "daemon/model/goal.h"
#include "daemon/model/query.h"

namespace analytics {

struct Funnel {
  SiteId site = 0;
  std::string name;  ///< Unique in the site.
  FunnelWithin within = FunnelWithin::kVisit;
  std::vector<FunnelStep> steps;
  bool operator==(const Funnel&) const = default;
};

/// Funnels that one site may have.
inline constexpr std::int64_t kMostFunnels = 100;

/// Returns the step as a goal, which has the step's name.
[[nodiscard]] inline Goal goal_of(const FunnelStep& step) {
  return {0, 0, step.type, step.value, {}};
}

/// Asks how far visitors came in a funnel. Steps count in the order of time, one event for each;
/// other events between them do not matter. Only selected events count.
struct FunnelQuery {
  Selection selection;
  FunnelWithin within = FunnelWithin::kVisit;
  std::vector<Goal> steps;  ///< kMostFunnelSteps at most.
};

/// The number of visitors who took each step after all before it. A visitor is counted with the
/// visit, or the day, in which he came furthest.
using FunnelVisitors = std::vector<std::int64_t>;

}  // namespace analytics
