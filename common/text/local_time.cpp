#include "common/text/local_time.h"

#include <algorithm>

#include <date/tz.h>

#include "common/text/text.h"

namespace analytics {

void load_time_zones() { (void)date::get_tzdb(); }

Days local_day(UnixSeconds time, const std::string& zone) {
  const auto local = date::locate_zone(zone)->to_local(time);
  return Days(date::floor<date::days>(local).time_since_epoch());
}

UnixSeconds start_of_day(Days day, const std::string& zone) {
  const date::local_days midnight{day.time_since_epoch()};
  const auto* place = date::locate_zone(zone);
  // If midnight is skipped, the day begins at the moment of the jump. If midnight occurs twice, the
  // day begins at the earlier one, unless the day before resumes between them (St. John's changed
  // its clocks at one minute past midnight).
  const UnixSeconds earlier = place->to_sys(midnight, date::choose::earliest);
  const UnixSeconds later = place->to_sys(midnight, date::choose::latest);
  return local_day(later - std::chrono::seconds(1), zone) < day ? later : earlier;
}

UnixSeconds shown_time(UnixSeconds time, const std::string& zone) {
  return UnixSeconds(date::locate_zone(zone)->to_local(time).time_since_epoch());
}

UnixSeconds from_local(UnixSeconds shown, const std::string& zone) {
  return date::locate_zone(zone)->to_sys(date::local_seconds(shown.time_since_epoch()),
                                         date::choose::earliest);
}

UnixSeconds next_hour(UnixSeconds time, const std::string& zone) {
  const auto info = date::locate_zone(zone)->get_info(time);
  const auto local = time.time_since_epoch() + info.offset;
  const auto into_hour = local - std::chrono::floor<std::chrono::hours>(local);
  return std::min(time + (std::chrono::hours(1) - into_hour), UnixSeconds(info.end));
}

std::string format_day(Days day) {
  return date::format("%F", date::sys_days(day.time_since_epoch()));
}

std::string format_local(UnixSeconds time, const std::string& zone) {
  return date::format("%F %T", date::locate_zone(zone)->to_local(time));
}

std::string format_with_offset(UnixSeconds time, const std::string& zone) {
  const auto offset = date::locate_zone(zone)->get_info(time).offset;
  const bool has_seconds = offset % std::chrono::minutes(1) != std::chrono::seconds(0);
  if (zone == "Etc/UTC" || has_seconds) return format_rfc3339(time);
  return date::format("%FT%T%Ez", date::make_zoned(zone, time));
}

std::string weekday_name(Days day) {
  static constexpr const char* kNames[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  return kNames[std::chrono::weekday(day).c_encoding()];
}

std::optional<Days> parse_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = parse_int(text.substr(0, 4));
  const auto month = parse_int(text.substr(5, 2));
  const auto day = parse_int(text.substr(8, 2));
  if (!year || !month || !day || *year < 0 || *month < 0 || *day < 0) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  return date.ok() ? std::optional(Days(date)) : std::nullopt;
}

}  // namespace analytics
