#pragma once

#include <string>

#include "common/text/time.h"

namespace analytics {

/// Loads the time zones, which takes milliseconds and would otherwise delay the first call of a
/// function below. Throws std::runtime_error if the system has no time zones.
void load_time_zones();

/// Returns the date in a zone at a time. REQUIRES: is_time_zone(zone), here and below.
[[nodiscard]] Days local_day(UnixSeconds time, const std::string& zone);

/// Returns the first moment of a local day, also where clocks change at midnight.
[[nodiscard]] UnixSeconds start_of_day(Days day, const std::string& zone);

/// Returns the local time, encoded as if it were UTC.
[[nodiscard]] UnixSeconds shown_time(UnixSeconds time, const std::string& zone);

/// Returns the moment of a local time, which is encoded as if it were UTC. If it occurs twice, the
/// earlier moment; if never, the moment at which clocks skip it.
[[nodiscard]] UnixSeconds from_local(UnixSeconds shown, const std::string& zone);

/// Returns the next moment at which a local hour begins or the zone's UTC offset changes.
[[nodiscard]] UnixSeconds next_hour(UnixSeconds time, const std::string& zone);

/// Returns the day as "2026-11-21", and the local time as "2026-11-21 14:00:00".
[[nodiscard]] std::string format_day(Days day);
[[nodiscard]] std::string format_local(UnixSeconds time, const std::string& zone);
/// Returns the time in RFC 3339 with the zone's offset at that time. Writes UTC with "Z" for
/// Etc/UTC, and if the offset is not in whole minutes, as it was before standard time.
[[nodiscard]] std::string format_with_offset(UnixSeconds time, const std::string& zone);

/// Returns the English abbreviation of the weekday: "Sat".
[[nodiscard]] std::string weekday_name(Days day);

/// Parses "2026-11-21"; nullopt unless the day exists.
[[nodiscard]] std::optional<Days> parse_day(std::string_view text);

}  // namespace analytics
