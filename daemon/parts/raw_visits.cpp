#include "daemon/parts/raw_visits.h"

#include <algorithm>
#include <map>

namespace analytics::parts {
namespace {

using Members = std::vector<RawEvent*>;

/// REQUIRES: in their order.
void split(const Members& members, VisitId& last) {
  std::vector<const RawEvent*> begins;  // of the visits that it becomes
  const RawEvent* before = nullptr;
  auto visit = members.front()->visit;
  for (auto* event : members) {
    if (event->role == VisitRole::kStay) continue;
    const bool goes_on = before != nullptr &&
                         (event->is_named || event->order.first - before->order.first <= kVisitGap);
    if (!goes_on) {
      if (before != nullptr) visit = ++last;
      begins.push_back(event);
    }
    event->visit = visit;
    before = event;
  }
  for (auto* event : members) {
    if (event->role != VisitRole::kStay) continue;
    // The visit that began before it, else the first.
    const auto after =
        std::upper_bound(begins.begin(), begins.end(), event,
                         [](const RawEvent* a, const RawEvent* b) { return a->order < b->order; });
    event->visit = begins.empty() ? 0 : (*(after == begins.begin() ? after : after - 1))->visit;
  }
}

}  // namespace

void split_visits(std::vector<RawEvent>& events) {
  std::map<VisitId, Members> visits;
  VisitId last = 0;
  for (auto& event : events) {
    if (event.visit != 0) visits[event.visit].push_back(&event);
    last = std::max(last, event.visit);
  }
  for (auto& [visit, members] : visits) {
    std::sort(members.begin(), members.end(),
              [](const auto* a, const auto* b) { return a->order < b->order; });
    split(members, last);
  }
}

}  // namespace analytics::parts
