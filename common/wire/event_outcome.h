#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace analytics {

/// The outcome of a well-formed event. The numbers are stored: never change one. If several sites
/// drop a line of a bulk request, the line is reported with the reason that comes first in this
/// enum.
enum class EventOutcome {
  kStored,
  kDuplicate,
  kUnknownSite,
  /// An engagement without a visit. It is stored later if its visit arrives soon: see
  /// WaitingEngagements.
  kNoVisit,
  kBot,
  kSpamReferrer,
  kExcluded,
  kThrottled,
  kTextBudget,  ///< Never the outcome of an event: counts events with a text stored as "(other)".
  kExpired,     ///< The event is older than the site's retention.
};

/// Returns every outcome that an event can have, in enum order.
[[nodiscard]] std::span<const EventOutcome> event_outcomes();

/// Returns the name on the wire: "accepted", "duplicate", or the reason of a drop.
[[nodiscard]] std::string_view outcome_name(EventOutcome outcome);

/// Returns a sentence for the owner of the site: "A robot sent it."
[[nodiscard]] std::string_view outcome_meaning(EventOutcome outcome);

/// Returns the outcome with that name; nullopt if the name is unknown.
[[nodiscard]] std::optional<EventOutcome> parse_outcome(std::string_view name);

/// Returns true if the text is a reason for not counting a well-formed event, except `duplicate`.
[[nodiscard]] bool is_drop_reason(std::string_view text);

}  // namespace analytics
