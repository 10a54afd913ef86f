#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/wire/funnel.h"
#include "daemon/model/goal.h"
#include "daemon/model/query.h"

namespace analytics {

struct Funnel {
  SiteId site = 0;
  std::string name;  ///< Unique within the site.
  FunnelWithin within = FunnelWithin::kVisit;
  std::vector<FunnelStep> steps;
  bool operator==(const Funnel&) const = default;
};

/// Maximum number of funnels of a site.
inline constexpr std::int64_t kMostFunnels = 100;

/// Returns the step as a goal, which has the same name.
[[nodiscard]] inline Goal goal_of(const FunnelStep& step) {
  return {0, 0, step.type, step.value, {}};
}

/// A query for how far visitors came in a funnel. The events of the steps must be in order of time,
/// a separate event for each step; events between them do not matter. Only selected events count.
struct FunnelQuery {
  Selection selection;
  FunnelWithin within = FunnelWithin::kVisit;
  std::vector<Goal> steps;  ///< At most kMostFunnelSteps.
};

/// By step: number of visitors who took it after all steps before it. For each visitor, the visit
/// or day with the most steps counts.
using FunnelVisitors = std::vector<std::int64_t>;

}  // namespace analytics
