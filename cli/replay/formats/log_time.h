#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/time.h"

namespace analytics::cli {

/// How the times of a file are written, as far as they do not show it.
struct TimeForms {
  std::string zone = "Etc/UTC";  ///< Of times without a zone: an IANA name.
  std::string date{};            ///< As strptime(3) takes it; empty: found by the text.
  std::string time{};            ///< Likewise, for what follows the date.
};

/// "17/May/2015:10:05:03 +0200", as common logs have it.
[[nodiscard]] std::optional<UnixMillis> parse_common_log_time(std::string_view text);

/// Parses a time in the forms that were given, else in one of these: the common form; RFC 3339;
/// "2015-05-17", "2015/05/17", "17.05.2015", "17 May 2015", "May 17, 2015", "20150517", and
/// "17/05/2015" or "05/17/2015" where only one of them can be meant; all with a clock behind them
/// or not, in 12 or 24 hours, and a zone like Z, +0200 or +02; Unix time in seconds, milliseconds,
/// microseconds or nanoseconds, which are distinguished by their magnitude.
[[nodiscard]] std::optional<UnixMillis> parse_log_time(std::string_view text,
                                                       const TimeForms& forms);
[[nodiscard]] std::optional<UnixMillis> parse_log_time(std::string_view text);

/// "Z", "UTC", "+02", "+0200", "+02:00": how far its clocks are ahead of UTC.
[[nodiscard]] std::optional<std::chrono::minutes> parse_zone(std::string_view text);

/// What of the forms that were given cannot be read rightly; empty: nothing.
[[nodiscard]] std::string problem_of(const TimeForms& forms);

/// The moment at which clocks show this, which was read as if it was UTC.
[[nodiscard]] UnixMillis from_local(UnixMillis shown, const TimeForms& forms);

}  // namespace analytics::cli
