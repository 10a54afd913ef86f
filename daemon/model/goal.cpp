#include "daemon/model/goal.h"

#include "common/event/event_payload.h"
#include "daemon/model/wildcard.h"

namespace analytics {

std::string goal_name(const Goal& goal) {
  return goal.display_name.empty() ? default_goal_name(goal.type, goal.value) : goal.display_name;
}

bool goal_matches(const Goal& goal, std::string_view event_name, std::string_view path) {
  switch (goal.type) {
    case GoalType::kEvent: return goal.value == event_name;
    case GoalType::kPage: return event_name == kPageview && wildcard_matches(goal.value, path);
  }
  return false;
}

}  // namespace analytics
