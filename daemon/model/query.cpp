#include "daemon/model/query.h"

#include <algorithm>

namespace analytics {

std::vector<GoalGroup> group_by_name(const std::vector<Goal>& goals) {
  std::vector<GoalGroup> groups;
  for (const auto& goal : goals) {
    auto name = goal_name(goal);
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const GoalGroup& group) { return group.name == name; });
    if (same == groups.end()) {
      groups.push_back({std::move(name), {goal}});
    } else {
      same->goals.push_back(goal);
    }
  }
  return groups;
}

}  // namespace analytics
