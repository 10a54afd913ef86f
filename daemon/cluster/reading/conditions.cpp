#include "daemon/cluster/reading/conditions.h"

#include <algorithm>

namespace analytics::cluster {
namespace {

std::string second_of(UnixSeconds time) {  // DateTime has no others
  return std::to_string(std::clamp<std::int64_t>(time.time_since_epoch().count(), 0, UINT32_MAX));
}

}  // namespace

std::string sql_day(Days day) {
  return "toDate(" +
         std::to_string(
             std::clamp<std::int64_t>(day.time_since_epoch().count(), 0, UINT32_MAX / 86'400)) +
         ")";
}

std::string events_of(SiteId site, const TimeRange& range, const Marks& marks) {
  const auto day = [](UnixSeconds time) {
    return sql_day(std::chrono::floor<std::chrono::days>(time));
  };
  auto sql = "site = " + std::to_string(site) + " AND day >= " + day(range.from) +
             " AND day <= " + day(range.to) + " AND toUInt32(time) >= " + second_of(range.from);
  if (range.to != UnixSeconds::max()) sql += " AND toUInt32(time) < " + second_of(range.to);
  return sql + " AND " + marks.of_events();
}

}  // namespace analytics::cluster
