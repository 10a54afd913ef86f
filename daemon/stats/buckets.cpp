#include "daemon/stats/buckets.h"

#include <algorithm>

#include "common/text/local_time.h"

namespace analytics {
namespace {

using std::chrono::days;
using std::chrono::year_month_day;

Days first_of_month(Days day) {
  const year_month_day date(day);
  return Days(date.year() / date.month() / 1);
}

/// Returns the first day of the bucket after the bucket of `day`. REQUIRES: `field` is kDay or
/// longer.
Days next_start(Field field, Days day) {
  if (field == Field::kWeek) {
    const auto since_monday = std::chrono::weekday(day) - std::chrono::Monday;
    return day - since_monday + days(7);
  }
  if (field == Field::kMonth) return first_of_month(first_of_month(day) + days(31));
  return day + days(1);
}

std::string offset_at(UnixSeconds time, const std::string& zone) {
  constexpr std::size_t kTime = 19;  // "2026-10-25T02:00:00"
  return format_with_offset(time, zone).substr(kTime);
}

/// Returns the label of a bucket: its local beginning, `shown`. Appends the UTC offset if the
/// clocks already showed this time before they were put back.
std::string label_of(UnixSeconds begin, std::string shown, const std::string& zone) {
  const auto first = parse_rfc3339(shown.substr(0, 10) + "T" + shown.substr(11) + "Z");
  if (!first) return shown;  // a year before 0
  const auto first_time = from_local(std::chrono::floor<std::chrono::seconds>(*first), zone);
  const auto offset = offset_at(begin, zone);
  return offset == offset_at(first_time, zone) ? shown : shown + offset;
}

std::vector<Bucket> hours_of(const TimeRange& range, const std::string& zone) {
  std::vector<Bucket> hours;
  for (auto at = range.from; at < range.to && hours.size() < kMaxBuckets;
       at = next_hour(at, zone)) {
    hours.push_back({at, label_of(at, format_local(at, zone).substr(0, 14) + "00:00", zone)});
  }
  return hours;
}

std::vector<Bucket> minutes_of(const TimeRange& range, const std::string& zone) {
  std::vector<Bucket> minutes;
  for (auto at = range.from; at < range.to && minutes.size() < kMaxBuckets;
       at = std::chrono::floor<std::chrono::minutes>(at) + std::chrono::minutes(1)) {
    minutes.push_back({at, label_of(at, format_local(at, zone).substr(0, 17) + "00", zone)});
  }
  return minutes;
}

}  // namespace

std::vector<Bucket> make_buckets(Field field, const TimeRange& range, const std::string& zone) {
  if (field == Field::kMinute) return minutes_of(range, zone);
  if (field == Field::kHour) return hours_of(range, zone);
  std::vector<Bucket> buckets;
  const auto last = local_day(range.to - std::chrono::seconds(1), zone);
  auto day = local_day(range.from, zone);
  for (auto from = range.from; day <= last && buckets.size() < kMaxBuckets;
       day = next_start(field, day), from = start_of_day(day, zone)) {
    buckets.push_back({from, format_day(field == Field::kMonth ? first_of_month(day) : day)});
  }
  return buckets;
}

}  // namespace analytics
