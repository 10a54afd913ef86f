#pragma once

#include <string>

#include "common/time.h"

namespace analytics {

/// Reads the list of zones, which takes milliseconds: else the first call of those below does.
/// Throws std::runtime_error if the system has none.
void load_time_zones();

/// The day that it is in a zone. REQUIRES: is_time_zone(zone), here and below.
[[nodiscard]] Days local_day(UnixSeconds time, const std::string& zone);

/// When a day begins there: its first moment, also where clocks are moved at midnight.
[[nodiscard]] UnixSeconds start_of_day(Days day, const std::string& zone);

/// What clocks there show, as if it was UTC.
[[nodiscard]] UnixSeconds shown_time(UnixSeconds time, const std::string& zone);

/// The moment at which clocks there show this, which is given as if it was UTC. Shown twice: the
/// earlier; never: the moment at which they jump over it.
[[nodiscard]] UnixSeconds from_local(UnixSeconds shown, const std::string& zone);

/// Returns the next moment at which a local hour begins in the zone or its UTC offset changes.
[[nodiscard]] UnixSeconds next_hour(UnixSeconds time, const std::string& zone);

/// "2026-11-21", and what the clock shows there: "2026-11-21 14:00:00".
[[nodiscard]] std::string format_day(Days day);
[[nodiscard]] std::string format_local(UnixSeconds time, const std::string& zone);
/// RFC 3339 with the offset of that zone at that time; in UTC with "Z" for Etc/UTC, and where the
/// offset is no whole minute, as before there were zones.
[[nodiscard]] std::string format_with_offset(UnixSeconds time, const std::string& zone);

/// "Sat"
[[nodiscard]] std::string weekday_name(Days day);

/// "2026-11-21", a day that exists.
[[nodiscard]] std::optional<Days> parse_day(std::string_view text);

}  // namespace analytics
