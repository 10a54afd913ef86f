#pragma once

#include <string>
#include <vector>

#include "daemon/model/query.h"

namespace analytics {

/// A time bucket: a minute, hour, day, week or month of a query's range. It ends at the start of
/// the next bucket or at the end of the range.
struct Bucket {
  UnixSeconds from{};
  std::string label;  ///< Such as "2026-11-21"; for an hour or minute "2026-11-21 14:00:00".
};

/// Returns the minutes, hours, days, weeks (from Monday) or months of a range in a time zone. A day
/// on which the clocks change has 23 or 25 hours; the label of a repeated hour ends with its
/// offset. The label of a week that the range cuts off is the range's first day; a month's label is
/// always the first day of that month. REQUIRES: is_time(field) and is_time_zone(zone).
[[nodiscard]] std::vector<Bucket> make_buckets(Field field, const TimeRange& range,
                                               const std::string& zone);

/// Maximum number of buckets that make_buckets() returns. Requests that would need more are
/// refused.
inline constexpr std::size_t kMaxBuckets = 20'000;

}  // namespace analytics
