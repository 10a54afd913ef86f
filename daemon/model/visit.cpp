#include "daemon/model/visit.h"

#include <algorithm>
#include <numeric>

namespace analytics {
namespace {

void take_first(EventOrder& first, const EventOrder& other) {
  if (other.second != 0 && (first.second == 0 || other < first)) first = other;
}
void take_last(EventOrder& last, const EventOrder& other) {
  if (other.second != 0 && (last.second == 0 || other > last)) last = other;
}

}  // namespace

void Visit::add(const VisitMember& event) {
  active.add(event.activity);
  if (event.role == VisitRole::kStay) return;
  ended = events == 0 ? event.order.first : std::max(ended, event.order.first);
  take_first(first, event.order);
  ++events;
  interactive = interactive || event.role == VisitRole::kInteractive;
  if (event.role != VisitRole::kPage) return;
  take_first(entry, event.order);
  take_last(exit, event.order);
  ++pageviews;
}

void Visit::absorb(const Visit& other) {
  active.add(other.active);
  if (other.events > 0) ended = events == 0 ? other.ended : std::max(ended, other.ended);
  take_first(first, other.first);
  take_first(entry, other.entry);
  take_last(exit, other.exit);
  pageviews += other.pageviews;
  events += other.events;
  interactive = interactive || other.interactive;
}

std::vector<std::optional<std::size_t>> divide_into_visits(std::span<const VisitMember> events,
                                                           bool named) {
  std::vector<std::size_t> places(events.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return events[a].activity.from < events[b].activity.from;
  });
  std::vector<std::optional<std::size_t>> visits(events.size());
  std::size_t count = 0;
  for (auto begin = places.begin(); begin != places.end();) {
    auto active = events[*begin].activity;
    bool has_event = false;
    auto end = begin;
    for (; end != places.end(); ++end) {
      const auto& event = events[*end];
      if (!named && !active.reaches(event.activity)) break;
      active.add(event.activity);
      has_event = has_event || event.role != VisitRole::kStay;
    }
    for (; begin != end; ++begin) {
      if (has_event) visits[*begin] = count;
    }
    count += has_event ? 1 : 0;
  }
  return visits;
}

}  // namespace analytics
