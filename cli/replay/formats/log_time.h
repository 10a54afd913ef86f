#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/text/time.h"

namespace analytics::cli {

/// The form of the times in a file, as far as the times themselves do not reveal it.
struct TimeForms {
  std::string zone = "Etc/UTC";  ///< IANA zone of times that name no zone.
  std::string date{};            ///< strptime(3) format of the date; empty to detect the form.
  /// strptime(3) format of the text after the date; empty for none.
  std::string time{};
};

/// Parses a time of the common log format: "17/May/2015:10:05:03 +0200".
[[nodiscard]] std::optional<UnixMillis> parse_common_log_time(std::string_view text);

/// Parses a time in the given forms. If `forms.date` is empty, it accepts the common log form; RFC
/// 3339; "2015-05-17", "2015/05/17", "17.05.2015", "17 May 2015", "May 17, 2015", "20150517"; and
/// "17/05/2015" or "05/17/2015" if the order of day and month is unambiguous. A time of day with 12
/// or 24 hours may follow, and a zone such as Z, +0200 or +02. It also accepts Unix time in
/// seconds, milliseconds, microseconds or nanoseconds, which are distinguished by their magnitude.
[[nodiscard]] std::optional<UnixMillis> parse_log_time(std::string_view text,
                                                       const TimeForms& forms);
[[nodiscard]] std::optional<UnixMillis> parse_log_time(std::string_view text);

/// Parses a zone such as "Z", "UTC", "+02", "+0200" or "+02:00". Returns its offset from UTC,
/// positive to the east.
[[nodiscard]] std::optional<std::chrono::minutes> parse_zone(std::string_view text);

/// Returns why the given forms are ambiguous or unsupported, as text for the user; empty if they
/// are valid.
[[nodiscard]] std::string problem_of(const TimeForms& forms);

/// Converts a local time that was parsed as if it were UTC: returns the moment at which clocks in
/// `forms.zone` show that time.
[[nodiscard]] UnixMillis from_local(UnixMillis shown, const TimeForms& forms);

}  // namespace analytics::cli
