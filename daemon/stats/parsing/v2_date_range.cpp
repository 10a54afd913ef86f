#include <nlohmann/json.hpp>

#include "common/text/local_time.h"
#include "common/text/text.h"
#include "daemon/stats/parsing/v2_query.h"

namespace analytics::v2 {
namespace {

using nlohmann::json;

tl::unexpected<Error> refuse(const json& value) {
  const auto problem = "Invalid date range " + excerpt(value, 100);
  return fail({ErrorCode::kInvalidParameter,
               "#/date_range: " + problem + ".",
               {{"#/date_range", problem}}});
}

/// Returns the range from a first to a last second, inclusive; nullopt if either is not a time, or
/// if the first is after the last.
std::optional<TimeRange> parse_times(const std::string& first, const std::string& last) {
  const auto from = parse_rfc3339(first);
  const auto to = parse_rfc3339(last);
  if (!from || !to || *from > *to) return std::nullopt;
  using std::chrono::seconds;
  return TimeRange{std::chrono::floor<seconds>(*from),
                   std::chrono::floor<seconds>(*to) + seconds(1)};
}

Result<TimeRange> parse_any(const json& value, const std::string& zone, UnixSeconds now) {
  if (value == "24h") return TimeRange{now - std::chrono::hours(24), now + std::chrono::seconds(1)};
  if (value.is_string()) {
    const auto period = days_of(value.get_ref<const std::string&>(), local_day(now, zone));
    return period ? Result<TimeRange>(range_of(*period, zone)) : refuse(value);
  }
  if (!value.is_array() || value.size() != 2 || !value[0].is_string() || !value[1].is_string()) {
    return refuse(value);
  }
  const auto first = parse_day(value[0].get_ref<const std::string&>());
  const auto last = parse_day(value[1].get_ref<const std::string&>());
  if (first && last) {
    return *first <= *last ? Result<TimeRange>(range_of({*first, *last}, zone)) : refuse(value);
  }
  const auto times = parse_times(value[0].get<std::string>(), value[1].get<std::string>());
  return times ? Result<TimeRange>(*times) : refuse(value);
}

}  // namespace

Result<TimeRange> parse_date_range(const json& value, const std::string& zone, UnixSeconds now) {
  // Replies print years with four digits. Within these bounds, that is possible in any time zone.
  constexpr UnixSeconds kFirst = Days(std::chrono::year(1) / 1 / 3);
  constexpr UnixSeconds kLast = Days(std::chrono::year(9999) / 12 / 29);
  const auto range = TRY(parse_any(value, zone, now));
  // the range is a day that does not exist in the zone
  const bool is_empty = range.from >= range.to;
  if (is_empty || range.from < kFirst || range.to > kLast) return refuse(value);
  return range;
}

}  // namespace analytics::v2
