#include "daemon/model/visit.h"

#include <algorithm>

namespace analytics {
namespace {

void take_first(EventOrder& first, const EventOrder& other) {
  if (other.second != 0 && (first.second == 0 || other < first)) first = other;
}
void take_last(EventOrder& last, const EventOrder& other) {
  if (other.second != 0 && (last.second == 0 || other > last)) last = other;
}

}  // namespace

void Visit::add(const EventOrder& event, VisitRole role) {
  Visit single;
  single.first = event;
  single.ended = event.first;
  single.events = 1;
  single.interactive = role == VisitRole::kInteractive;
  if (role == VisitRole::kPage) {
    single.entry = single.exit = event;
    single.pageviews = 1;
  }
  absorb(single);
}

void Visit::absorb(const Visit& other) {
  ended = events == 0 ? other.ended : std::max(ended, other.ended);
  take_first(first, other.first);
  take_first(entry, other.entry);
  take_last(exit, other.exit);
  pageviews += other.pageviews;
  events += other.events;
  interactive = interactive || other.interactive;
}

}  // namespace analytics
