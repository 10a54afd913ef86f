#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace analytics {

/// Points in time as they are stored and compared: UTC, no leap seconds.
using UnixSeconds = std::chrono::sys_seconds;
using UnixMillis = std::chrono::sys_time<std::chrono::milliseconds>;
using Days = std::chrono::sys_days;

/// A clock that functions get as an argument, so that tests can set the time.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual UnixMillis now() const = 0;
  /// Returns monotonic time, unaffected by changes of the wall clock.
  [[nodiscard]] virtual std::chrono::steady_clock::time_point steady() const = 0;
  virtual void sleep(std::chrono::nanoseconds time) const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] UnixMillis now() const override;
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override;
  void sleep(std::chrono::nanoseconds time) const override;
};
/// Returns the system's time, for code that needs no other clock.
[[nodiscard]] inline UnixSeconds system_now() {
  return std::chrono::floor<std::chrono::seconds>(SystemClock().now());
}

/// Returns the time as "2026-11-21T03:39:22Z".
[[nodiscard]] std::string format_rfc3339(UnixSeconds time);
/// Returns the time as "20261123T031500Z", for file names.
[[nodiscard]] std::string format_compact(UnixSeconds time);

/// Parses RFC 3339 with an offset; fractions of a second are allowed. Returns nullopt for any other
/// text.
[[nodiscard]] std::optional<UnixMillis> parse_rfc3339(std::string_view text);

/// Converts a civil date and time with its offset from UTC; nullopt if that time does not exist.
[[nodiscard]] std::optional<UnixSeconds> civil_time(int year, unsigned month, unsigned day,
                                                    int hour, int minute, int second,
                                                    std::chrono::minutes offset);

/// Parses "500ms", "30s", "15m", "48h", "90d", or a bare number of seconds; nullopt for any other
/// text.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// Returns true if `name` is a zone of this machine's IANA database (tzdata.zi: no "localtime", no
/// "posix/…"). The list is read once.
[[nodiscard]] bool is_time_zone(std::string_view name);

}  // namespace analytics
