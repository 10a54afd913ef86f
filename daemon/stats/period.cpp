#include "daemon/stats/period.h"

#include <algorithm>

#include "common/text/local_time.h"
#include "common/text/text.h"

namespace analytics {
namespace {

using std::chrono::days;
using std::chrono::months;
using std::chrono::year_month_day;

tl::unexpected<Error> refuse(const char* field, const char* problem) {
  return fail(
      {ErrorCode::kInvalidParameter, std::string(field) + " " + problem + ".", {{field, problem}}});
}

Period whole_months(Days last, int count) {
  const year_month_day date(last);
  const auto month = date.year() / date.month();
  return {Days((month - months(count - 1)) / 1), Days(month / std::chrono::last)};
}

Result<Period> parse_custom(std::string_view date) {
  const auto comma = date.find(',');
  const auto first = parse_day(trim(date.substr(0, comma)));
  const auto last =
      comma == std::string_view::npos ? std::nullopt : parse_day(trim(date.substr(comma + 1)));
  if (!first || !last || *last < *first) {
    return refuse("date", "must be two days for a custom period, such as 2026-01-01,2026-01-31");
  }
  return Period{*first, *last};
}

}  // namespace

Result<Period> parse_period(std::string_view period, std::string_view date, Days today) {
  if (period == "custom") return parse_custom(date);
  const auto day = date.empty() ? std::optional(today) : parse_day(date);
  if (!day) return refuse("date", "must be a day such as 2026-01-31");
  if (period == "day") return Period{*day, *day};
  if (period == "7d") return Period{*day - days(7), *day - days(1)};
  if (period.empty() || period == "30d") return Period{*day - days(30), *day - days(1)};
  if (period == "month") return whole_months(*day, 1);
  if (period == "6mo") return whole_months(*day, 6);
  if (period == "12mo") return whole_months(*day, 12);
  return refuse("period", "must be day, 7d, 30d, month, 6mo, 12mo or custom");
}

Period period_before(const Period& period, Days today) {
  const auto last = std::max(period.first, std::min(period.last, today));
  return {period.first - (last - period.first + days(1)), period.first - days(1)};
}

TimeRange range_of(const Period& period, const std::string& zone) {
  return {start_of_day(period.first, zone), start_of_day(period.last + days(1), zone)};
}

}  // namespace analytics
