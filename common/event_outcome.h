#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace analytics {

/// The outcome of a well-formed event. The numbers are stored: never change one. A line of a bulk
/// request that several sites drop is reported with the reason that is first here.
enum class EventOutcome {
  kStored,
  kDuplicate,
  kUnknownSite,
  kNoVisit,
  kBot,
  kSpamReferrer,
  kExcluded,
  kThrottled,
  kTextBudget,  ///< Never an event's reason: counts events with a text stored as "(other)".
  kExpired,     ///< It is older than what the site keeps.
};

/// All that an event can have, in their order.
[[nodiscard]] std::span<const EventOutcome> event_outcomes();

/// "accepted", "duplicate", or the reason of a drop.
[[nodiscard]] std::string_view outcome_name(EventOutcome outcome);

/// A sentence for the owner of the site: "A robot sent it."
[[nodiscard]] std::string_view outcome_meaning(EventOutcome outcome);

/// Returns the outcome of that name.
[[nodiscard]] std::optional<EventOutcome> parse_outcome(std::string_view name);

/// True if the text is a reason for which a well-formed event is not counted, `duplicate` apart.
[[nodiscard]] bool is_drop_reason(std::string_view text);

}  // namespace analytics
