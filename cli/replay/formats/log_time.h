#pragma once

#include <optional>
#include <string_view>

#include "common/time.h"

namespace analytics::cli {

/// "17/May/2015:10:05:03 +0200", as common logs have it.
[[nodiscard]] std::optional<UnixMillis> parse_common_log_time(std::string_view text);

/// Parses the common form, RFC 3339, "2015-05-17 10:05:03" (UTC) also with a zone like +0200 or
/// +02, and Unix time in seconds, milliseconds, microseconds or nanoseconds, which are
/// distinguished by their magnitude.
[[nodiscard]] std::optional<UnixMillis> parse_log_time(std::string_view text);

}  // namespace analytics::cli
