#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "daemon/parts/part.h"
#include "daemon/query/events/raw_event.h"

namespace analytics::parts {

/// The constants below are ids of the cold columns. These contain values that queries do not read,
/// so that every query::RawEvent can be restored from a part. kEventColdId is the first id of
/// three columns with a value per event: milliseconds, import, passive.
inline constexpr std::uint32_t kEventColdId = 28;
/// First id that own_id() returns.
inline constexpr std::uint32_t kOwnId = 31;
/// Id of the column with 1 for each visit that an import has named, else 0.
inline constexpr std::uint32_t kNamedId = 46;
/// First id of three columns with a value per engagement: milliseconds, import, passive.
inline constexpr std::uint32_t kEngagementColdId = 64;
/// First id that engagement_own_id() returns.
inline constexpr std::uint32_t kEngagementOwnId = 67;
inline constexpr std::uint32_t kEngagementVisitId = 82;
inline constexpr std::uint32_t kEngagementVisitorId = 83;
inline constexpr std::uint32_t kEngagementTimeId = 84;
inline constexpr std::uint32_t kEngagementRevenueId = 85;
inline constexpr std::uint32_t kEngagementMillisId = 86;
inline constexpr std::uint32_t kEngagementDepthId = 87;
inline constexpr std::uint32_t kLaterOwnId = 47;
inline constexpr std::uint32_t kLaterEngagementOwnId = 92;
/// Id of the column with, for each event, 1 + index of its own visitor if its visit counts under
/// another visitor; else 0.
inline constexpr std::uint32_t kOwnVisitorId = 94;

/// Returns the id of the column with those values of query::kOwnColumns[place] that an event does
/// not share with its visit. Columns from the 16th on were added later, so their ids are in
/// another range.
[[nodiscard]] constexpr std::uint32_t own_id(std::uint32_t place) {
  return place < 15 ? kOwnId + place : kLaterOwnId + (place - 15);
}
/// Returns the id of the column with the engagements' values of query::kOwnColumns[place].
[[nodiscard]] constexpr std::uint32_t engagement_own_id(std::uint32_t place) {
  return place < 15 ? kEngagementOwnId + place : kLaterEngagementOwnId + (place - 15);
}

/// The events from which the cold columns of a part are made, in the part's order.
struct ColdEvents {
  std::vector<const query::RawEvent*> events;
  std::vector<const query::RawEvent*> first_of_visit;  ///< First event of each visit.
  std::vector<std::uint32_t> visitors;                 ///< Index of the visitor of each visit.
  std::vector<const query::RawEvent*> engagements;
  /// Returns, for each event, the value that queries see in a column: that of its visit.
  std::function<std::vector<std::uint32_t>(query::Column column)> seen;
};

/// Returns the packed cold columns by id. `engagements_from`: start of the range of the
/// engagements' times. Throws std::length_error if a number is too large.
[[nodiscard]] std::map<std::uint32_t, std::string> pack_cold(const ColdEvents& events,
                                                             UnixSeconds engagements_from);

/// Reads all events of a part that was made of RawEvents: events in the part's order, then
/// engagements. Gives visitors, visits and events new numbers from 1, which are unique only within
/// the part. Throws Damaged, and the errors of `fetch`.
[[nodiscard]] std::vector<query::RawEvent> read_raw_events(const PartHead& head,
                                                           const Part::Fetch& fetch);

/// Calls `use` with each text id in the part and its column of query::kOwnColumns, perhaps several
/// times. Reads dictionaries, not events. Throws like read_raw_events().
void each_number(const PartHead& head, const Part::Fetch& fetch,
                 const std::function<void(query::Column column, std::int64_t number)>& use);

}  // namespace analytics::parts
