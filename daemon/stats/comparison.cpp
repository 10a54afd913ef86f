#include "daemon/stats/comparison.h"

#include <algorithm>

#include "common/local_time.h"
#include "daemon/stats/period.h"

namespace analytics {
namespace {

using std::chrono::days;
using std::chrono::weekday;
using std::chrono::year_month_day;
using std::chrono::years;

constexpr days kWeek{7};
constexpr days kYear{365};

/// The 28th of February for the 29th.
Days a_year_before(Days day) {
  const auto date = year_month_day(day) - years(1);
  return date.ok() ? Days(date) : Days(date.year() / date.month() / std::chrono::last);
}

/// How far to shift days, the shorter way, so that they begin with the weekday of `like`; the other
/// way where they would be the same days.
days to_same_weekday(Days first, Days like) {
  const auto on = weekday(like) - weekday(first);  // 0 to 6 days
  const auto shift = on <= kWeek / 2 ? on : on - kWeek;
  return first + shift == like ? shift - kWeek : shift;
}

}  // namespace

TimeRange compared_range(const Comparison& comparison, const TimeRange& range,
                         const std::string& zone, UnixSeconds now) {
  if (comparison.mode == Comparison::Mode::kCustom) return comparison.custom;
  const bool is_previous = comparison.mode == Comparison::Mode::kPreviousPeriod;
  const Period period{local_day(range.from, zone),
                      local_day(range.to - std::chrono::seconds(1), zone)};
  if (range_of(period, zone) != range) {
    const auto shift = is_previous ? range.to - range.from
                                   : std::chrono::duration_cast<std::chrono::seconds>(kYear);
    return {range.from - shift, range.to - shift};
  }
  const auto today = local_day(now, zone);
  auto before = period_before(period, today);
  if (!is_previous) {
    before.last = a_year_before(std::max(period.first, std::min(period.last, today)));
    before.first = std::min(a_year_before(period.first), before.last);
  }
  if (comparison.match_day_of_week) {
    const auto shift = to_same_weekday(before.first, period.first);
    before = {before.first + shift, before.last + shift};
  }
  return range_of(before, zone);
}

}  // namespace analytics
