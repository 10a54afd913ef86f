#include "daemon/stats/comparison.h"

#include <algorithm>

#include "common/text/local_time.h"
#include "daemon/stats/period.h"

namespace analytics {
namespace {

using std::chrono::days;
using std::chrono::months;
using std::chrono::weekday;
using std::chrono::year_month_day;

constexpr days kWeek{7};
constexpr months kMonthsOfYear{12};

/// Returns the same day `by` months earlier, or the last day of that month if it is too short: 28
/// February for 31 March.
Days moved_back(Days day, months by) {
  const auto date = year_month_day(day) - by;
  return date.ok() ? Days(date) : Days(date.year() / date.month() / std::chrono::last);
}

/// Returns the same local time `by` months earlier, on the last day of that month if it is too
/// short.
UnixSeconds moved_back(UnixSeconds time, months by, const std::string& zone) {
  const auto shown = shown_time(time, zone);
  const auto day = std::chrono::floor<days>(shown);
  return from_local(UnixSeconds(moved_back(day, by)) + (shown - day), zone);
}

/// Moves the first and last day of a period back, each on its own. Days after today do not count.
Period moved_back(const Period& period, months by, Days today) {
  const auto last = moved_back(std::max(period.first, std::min(period.last, today)), by);
  return {std::min(moved_back(period.first, by), last), last};
}

/// Returns how far to shift a period from `first` so that it begins on the weekday of `like`: in
/// the shorter direction, or in the other one if the shorter would give the period of `like`
/// itself.
days to_same_weekday(Days first, Days like) {
  const auto on = weekday(like) - weekday(first);  // 0 to 6 days
  const auto shift = on <= kWeek / 2 ? on : on - kWeek;
  return first + shift == like ? shift - kWeek : shift;
}

/// Returns by how many months to move the range back; 0 to move it back by its number of days.
months months_moved(const Comparison& comparison) {
  const bool is_previous = comparison.mode == Comparison::Mode::kPreviousPeriod;
  return is_previous ? comparison.calendar : kMonthsOfYear;
}

Period days_compared(const Comparison& comparison, const Period& period, Days today) {
  const auto by = months_moved(comparison);
  auto before = by == months(0) ? period_before(period, today) : moved_back(period, by, today);
  if (comparison.match_day_of_week) {
    const auto shift = to_same_weekday(before.first, period.first);
    before = {before.first + shift, before.last + shift};
  }
  return before;
}

}  // namespace

TimeRange compared_range(const Comparison& comparison, const TimeRange& range,
                         const std::string& zone, UnixSeconds now) {
  if (comparison.mode == Comparison::Mode::kCustom) return comparison.custom;
  const Period period{local_day(range.from, zone),
                      local_day(range.to - std::chrono::seconds(1), zone)};
  if (range_of(period, zone) != range) {
    if (comparison.mode == Comparison::Mode::kPreviousPeriod) {
      return {range.from - (range.to - range.from), range.from};
    }
    return {moved_back(range.from, kMonthsOfYear, zone), moved_back(range.to, kMonthsOfYear, zone)};
  }
  const auto today = local_day(now, zone);
  const auto before = days_compared(comparison, period, today);
  auto compared = range_of(before, zone);
  const bool is_running = range.from <= now && now < range.to;
  if (!comparison.same_part || !is_running) return compared;
  // If today's date does not exist in the earlier month, that month is compared as a whole: 30
  // March with all of February.
  if (!(year_month_day(today) - months_moved(comparison)).ok()) return compared;
  const auto time_of_day = shown_time(now, zone) - UnixSeconds(today);
  compared.to = std::min(compared.to, from_local(before.last + time_of_day, zone));
  return compared;
}

}  // namespace analytics
