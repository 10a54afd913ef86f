#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "daemon/parts/part.h"
#include "daemon/parts/raw_event.h"

namespace analytics::parts {

/// The columns of a part that keep what queries do not read, so that its events can be given out
/// again: the ids of the first ones.
inline constexpr std::uint32_t kEventColdId = 28;       ///< Three, of each event.
inline constexpr std::uint32_t kOwnId = 31;             ///< Of events: see own_id().
inline constexpr std::uint32_t kNamedId = 46;           ///< Visits that an import named.
inline constexpr std::uint32_t kEngagementColdId = 64;  ///< Three, of each engagement.
inline constexpr std::uint32_t kEngagementOwnId = 67;   ///< See engagement_own_id().
inline constexpr std::uint32_t kEngagementVisitId = 82;
inline constexpr std::uint32_t kEngagementVisitorId = 83;
inline constexpr std::uint32_t kEngagementTimeId = 84;
inline constexpr std::uint32_t kEngagementRevenueId = 85;
inline constexpr std::uint32_t kEngagementMillisId = 86;
inline constexpr std::uint32_t kEngagementDepthId = 87;
inline constexpr std::uint32_t kLaterOwnId = 47;
inline constexpr std::uint32_t kLaterEngagementOwnId = 92;

/// The id of what events have themselves in one of kOwnColumns, by its place there. The first
/// fifteen were there from the beginning.
[[nodiscard]] constexpr std::uint32_t own_id(std::uint32_t place) {
  return place < 15 ? kOwnId + place : kLaterOwnId + (place - 15);
}
/// As own_id(), of engagements.
[[nodiscard]] constexpr std::uint32_t engagement_own_id(std::uint32_t place) {
  return place < 15 ? kEngagementOwnId + place : kLaterEngagementOwnId + (place - 15);
}

/// The events of a part in its order.
struct ColdEvents {
  std::vector<const RawEvent*> events;
  std::vector<const RawEvent*> first_of_visit;  ///< By visit: its first event in the part.
  std::vector<std::uint32_t> visitors;          ///< By visit: the place of its visitor.
  std::vector<const RawEvent*> engagements;
  /// Returns, by event, what queries see in a column of its visit.
  std::function<std::vector<std::uint32_t>(query::Column column)> seen;
};

/// Returns the columns by id. Throws std::length_error when a number is too large.
[[nodiscard]] std::map<std::uint32_t, std::string> pack_cold(const ColdEvents& events,
                                                             UnixSeconds engagements_from);

/// Reads all events of a part that was made of RawEvents, in its order, and then engagements.
/// Visitors, visits and the order of events are numbered anew, from 1 and for this part alone.
/// Throws Damaged, and what `fetch` throws.
[[nodiscard]] std::vector<RawEvent> read_raw_events(const PartHead& head, const Part::Fetch& fetch);

/// Calls `use` with each number of a text that a part uses, perhaps several times, and one of
/// kOwnColumns that it is of. Reads dictionaries, not events. Throws as read_raw_events().
void each_number(const PartHead& head, const Part::Fetch& fetch,
                 const std::function<void(query::Column column, std::int64_t number)>& use);

}  // namespace analytics::parts
