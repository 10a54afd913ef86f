#include "daemon/cluster/reading/conditions.h"

#include <algorithm>

namespace analytics::cluster {
namespace {

std::string second_of(UnixSeconds time) {  // clamped to the range of DateTime
  return std::to_string(std::clamp<std::int64_t>(time.time_since_epoch().count(), 0, UINT32_MAX));
}

}  // namespace

std::string events_of(SiteId site, const TimeRange& range, const Marks& marks) {
  const auto day_of = [](UnixSeconds time) { return std::chrono::floor<std::chrono::days>(time); };
  const auto is_within_day = [](UnixSeconds time) {
    return time.time_since_epoch() % std::chrono::days(1) != std::chrono::seconds(0);
  };
  const bool is_open = range.to == UnixSeconds::max();
  const auto last = day_of(is_open ? range.to : range.to - std::chrono::seconds(1));
  auto sql = "site = " + std::to_string(site) + " AND day >= " + sql_day(day_of(range.from)) +
             " AND day <= " + sql_day(last);
  // Whole days need no condition on `time`.
  if (is_within_day(range.from)) sql += " AND toUInt32(time) >= " + second_of(range.from);
  if (!is_open && is_within_day(range.to)) {
    sql += " AND toUInt32(time) < " + second_of(range.to);
  }
  return sql + " AND " + marks.of_events();
}

}  // namespace analytics::cluster
