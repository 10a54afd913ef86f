#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/local_time.h"
#include "common/text.h"
#include "daemon/stats/v2_query.h"

namespace analytics::v2 {
namespace {

using nlohmann::json;
using std::chrono::days;
using std::chrono::months;
using std::chrono::year_month_day;

constexpr std::int64_t kMaxDays = 5'000;
constexpr std::int64_t kMaxMonths = 100;

tl::unexpected<Error> refuse(const json& value) {
  const auto problem = "Invalid date range " + excerpt(value, 100);
  return fail({ErrorCode::kInvalidParameter,
               "#/date_range: " + problem + ".",
               {{"#/date_range", problem}}});
}

std::optional<std::int64_t> count_before(std::string_view text, std::string_view unit,
                                         std::int64_t most) {
  if (!text.ends_with(unit)) return std::nullopt;
  const auto digits = text.substr(0, text.size() - unit.size());
  const auto count = digits.empty() || digits[0] == '+' ? std::nullopt : parse_int(digits);
  return count && *count >= 1 && *count <= most ? count : std::nullopt;
}

/// Two times, both with their last second.
std::optional<TimeRange> parse_times(const std::string& first, const std::string& last) {
  const auto from = parse_rfc3339(first);
  const auto to = parse_rfc3339(last);
  if (!from || !to) return std::nullopt;
  using std::chrono::seconds;
  const auto [earlier, later] = std::minmax(*from, *to);
  return TimeRange{std::chrono::floor<seconds>(earlier),
                   std::chrono::floor<seconds>(later) + seconds(1)};
}

Result<TimeRange> parse_any(const json& value, const std::string& zone, UnixSeconds now) {
  if (value == "24h") return TimeRange{now - std::chrono::hours(24), now + std::chrono::seconds(1)};
  if (value.is_string()) {
    const auto period = parse_period(value.get_ref<const std::string&>(), local_day(now, zone));
    return period ? Result<TimeRange>(range_of(*period, zone)) : refuse(value);
  }
  if (!value.is_array() || value.size() != 2 || !value[0].is_string() || !value[1].is_string()) {
    return refuse(value);
  }
  const auto first = parse_day(value[0].get_ref<const std::string&>());
  const auto last = parse_day(value[1].get_ref<const std::string&>());
  if (first && last) {
    const auto [earlier, later] = std::minmax(*first, *last);
    return range_of({earlier, later}, zone);
  }
  const auto times = parse_times(value[0].get<std::string>(), value[1].get<std::string>());
  return times ? Result<TimeRange>(*times) : refuse(value);
}

}  // namespace

std::optional<Period> parse_period(std::string_view word, Days today) {
  const year_month_day date(today);
  const auto month = date.year() / date.month();
  if (word == "day") return Period{today, today};
  if (word == "month") return Period{Days(month / 1), Days(month / std::chrono::last)};
  if (word == "year") {
    return Period{Days(date.year() / std::chrono::January / 1),
                  Days(date.year() / std::chrono::December / 31)};
  }
  if (word == "all") return Period{Days(), today};
  if (const auto count = count_before(word, "d", kMaxDays)) {
    return Period{today - days(*count), today - days(1)};
  }
  if (const auto count = count_before(word, "mo", kMaxMonths)) {
    return Period{Days((month - months(*count)) / 1),
                  Days((month - months(1)) / std::chrono::last)};
  }
  return std::nullopt;
}

Result<TimeRange> parse_date_range(const json& value, const std::string& zone, UnixSeconds now) {
  // Replies print years with four digits, so the bounds leave room for any offset.
  constexpr UnixSeconds kFirst = Days(std::chrono::year(1) / 1 / 3);
  constexpr UnixSeconds kLast = Days(std::chrono::year(9999) / 12 / 29);
  auto range = parse_any(value, zone, now);
  if (!range) return range;
  const bool is_empty = range->from >= range->to;  // a day that the zone has left out
  if (is_empty || range->from < kFirst || range->to > kLast) return refuse(value);
  return range;
}

}  // namespace analytics::v2
