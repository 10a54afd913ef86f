#include "daemon/model/event.h"

#include "common/event_payload.h"

namespace analytics {

std::string_view outcome_name(EventOutcome outcome) {
  switch (outcome) {
    case EventOutcome::kStored: return "accepted";
    case EventOutcome::kDuplicate: return "duplicate";
    case EventOutcome::kUnknownSite: return "unknown_site";
    case EventOutcome::kNoVisit: return "no_visit";
    case EventOutcome::kBot: return "bot";
    case EventOutcome::kSpamReferrer: return "spam_referrer";
    case EventOutcome::kExcluded: return "excluded";
    case EventOutcome::kThrottled: return "throttled";
    case EventOutcome::kTextBudget: return "text_budget";
  }
  return {};
}

VisitRole visit_role(const Event& event) {
  if (event.name == kPageview) return VisitRole::kPage;
  if (event.name == kEngagement) return VisitRole::kStay;
  return event.interactive ? VisitRole::kInteractive : VisitRole::kPassive;
}

std::size_t memory_of(const Event& event) {
  auto bytes = sizeof event + event.name.size() + event.hostname.size() + event.path.size() +
               event.referrer.size() + event.source.size() + event.client.size() +
               event.place.size() + event.props.size();
  for (const auto& tag : event.utm) bytes += tag.size();
  return bytes;
}

std::size_t memory_of(std::span<const Event> events) {
  std::size_t bytes = 0;
  for (const auto& event : events) bytes += memory_of(event);
  return bytes;
}

}  // namespace analytics
