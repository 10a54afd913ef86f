#include "daemon/parts/raw_visits.h"

#include <algorithm>
#include <map>

namespace analytics::parts {

void split_visits(std::vector<query::RawEvent>& events) {
  std::map<VisitId, std::vector<query::RawEvent*>> visits;
  VisitId last = 0;
  for (auto& event : events) {
    if (event.visit != 0) visits[event.visit].push_back(&event);
    last = std::max(last, event.visit);
  }
  for (const auto& [visit, events_of_visit] : visits) {
    std::vector<VisitMember> members;
    for (const auto* event : events_of_visit) members.push_back(event->member());
    const auto numbers = divide_into_visits(members, events_of_visit.front()->is_named);
    std::map<std::size_t, VisitId> ids{{0, visit}};
    for (std::size_t i = 0; i < members.size(); ++i) {
      auto& event = *events_of_visit[i];
      event.visit = 0;
      if (!numbers[i]) continue;
      const auto [id, is_new] = ids.try_emplace(*numbers[i], last + 1);
      if (is_new) ++last;
      event.visit = id->second;
    }
  }
}

}  // namespace analytics::parts
