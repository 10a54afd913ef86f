#pragma once

#include <string>

#include "common/time.h"

namespace analytics {

/// The day that it is in a zone. REQUIRES: is_time_zone(zone), here and below.
[[nodiscard]] Days local_day(UnixSeconds time, const std::string& zone);

/// When a day begins there: its first moment, also where clocks are moved at midnight.
[[nodiscard]] UnixSeconds start_of_day(Days day, const std::string& zone);

/// "2026-11-21", a day that exists.
[[nodiscard]] std::optional<Days> parse_day(std::string_view text);

}  // namespace analytics
