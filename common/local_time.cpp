#include "common/local_time.h"

#include <date/tz.h>

#include "common/text.h"

namespace analytics {

Days local_day(UnixSeconds time, const std::string& zone) {
  const auto local = date::locate_zone(zone)->to_local(time);
  return Days(date::floor<date::days>(local).time_since_epoch());
}

UnixSeconds start_of_day(Days day, const std::string& zone) {
  const date::local_days midnight{day.time_since_epoch()};
  // Twice or never midnight: the earlier, or the moment the clock jumps.
  return date::locate_zone(zone)->to_sys(midnight, date::choose::earliest);
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
