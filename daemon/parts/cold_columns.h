#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "daemon/parts/part.h"
#include "daemon/query/events/raw_event.h"

namespace analytics::parts {

// The ids that follow are those of the cold columns. Queries read these columns only for
// engagements. The other columns and the cold columns together contain every query::RawEvent that a
// part was made of, except its ids.

/// Id of the column with 1 for each visit that an import has named, else 0.
inline constexpr std::uint32_t kNamedId = 45;
/// Id of the column with, for each event, 1 + index of the event's own visitor if its visit counts
/// under another visitor; else 0.
inline constexpr std::uint32_t kOwnVisitorId = 46;
/// First of the ids of three columns with a value per event: the milliseconds of its time, the id
/// of its import, and 1 if it was sent as not interactive.
inline constexpr std::uint32_t kEventColdId = 47;
/// First id that own_id() returns.
inline constexpr std::uint32_t kOwnId = 50;
// Each of the following ids is that of a column with a value per engagement.
inline constexpr std::uint32_t kEngagementVisitId = 74;
inline constexpr std::uint32_t kEngagementVisitorId = 75;
inline constexpr std::uint32_t kEngagementTimeId = 76;
inline constexpr std::uint32_t kEngagementRevenueId = 77;
inline constexpr std::uint32_t kEngagementMillisId = 78;
inline constexpr std::uint32_t kEngagementDepthId = 79;
/// First of the ids of three columns with the same values as those from kEventColdId on, but of
/// engagements.
inline constexpr std::uint32_t kEngagementColdId = 80;
/// First id that engagement_own_id() returns.
inline constexpr std::uint32_t kEngagementOwnId = 83;

/// Returns the id of the column with those values of query::kOwnColumns[place] that an event does
/// not share with its visit.
[[nodiscard]] constexpr std::uint32_t own_id(std::uint32_t place) { return kOwnId + place; }
/// Returns the id of the column with the engagements' values of query::kOwnColumns[place].
[[nodiscard]] constexpr std::uint32_t engagement_own_id(std::uint32_t place) {
  return kEngagementOwnId + place;
}
static_assert(own_id(query::kOwnColumns.size() - 1) < kEngagementVisitId);
static_assert(engagement_own_id(query::kOwnColumns.size() - 1) <= kMaxId);

/// The events from which the cold columns of a part are made, in the part's order.
struct ColdEvents {
  std::vector<const query::RawEvent*> events;
  std::vector<const query::RawEvent*> first_of_visit;  ///< First event of each visit.
  std::vector<std::uint32_t> visitors;                 ///< Index of the visitor of each visit.
  std::vector<const query::RawEvent*> engagements;
  /// Returns, for each event, the value that queries see in a column: for a column of visits, the
  /// value of the event's visit.
  std::function<std::vector<std::uint32_t>(query::Column column)> seen;
};

/// Returns the packed cold columns by id. `engagements_from`: start of the range of the
/// engagements' times. Throws std::length_error if a number is too large for a column.
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
