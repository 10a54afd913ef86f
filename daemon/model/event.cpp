#include "daemon/model/event.h"

#include "common/event/event_payload.h"

namespace analytics {

// 50,000 events (the most in a bulk request), their texts and the body must fit in the memory that
// bulk requests have by default.
static_assert(sizeof(Event) <= 720);

VisitRole visit_role(const EventData& event) {
  if (event.name == kPageview) return VisitRole::kPage;
  if (event.name == kEngagement) return VisitRole::kStay;
  return event.interactive ? VisitRole::kInteractive : VisitRole::kPassive;
}

Activity activity_of(const Event& event) {
  return Activity(event.time, std::chrono::milliseconds(event.engagement.millis.value_or(0)));
}

std::size_t memory_of(const Event& event) {
  auto bytes = sizeof event + event.name.size() + event.hostname.size() + event.path.size() +
               event.referrer.size() + event.source.size() + event.props.size();
  for (const auto& tag : event.utm) bytes += tag.size();
  for (const auto& part : kClientParts) bytes += ((*event.client).*part.text).size();
  for (const auto& part : kPlaceParts) bytes += ((*event.place).*part.text).size();
  return bytes;
}

std::size_t memory_of(std::span<const Event> events) {
  std::size_t bytes = 0;
  for (const auto& event : events) bytes += memory_of(event);
  return bytes;
}

}  // namespace analytics
