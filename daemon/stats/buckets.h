#pragma once

#include <string>
#include <vector>

#include "daemon/model/query.h"

namespace analytics {

/// A stretch of a range: from its first moment to that of the next bucket, or the range's end.
struct Bucket {
  UnixSeconds from{};
  std::string label;  ///< "2026-11-21", or of an hour or minute "2026-11-21 14:00:00".
};

/// The minutes, hours, days, weeks (from Monday) or months of a range, as the clock of that zone
/// shows them. A day has 23 or 25 hours where clocks are moved, two of them of one label. A week
/// that the range cuts is named by the range's first day, a month by its own. REQUIRES:
/// is_time(field), and is_time_zone(zone).
[[nodiscard]] std::vector<Bucket> make_buckets(Field field, const TimeRange& range,
                                               const std::string& zone);

/// At most so many: where a field would make more of a range, what asks for it is refused.
inline constexpr std::size_t kMaxBuckets = 20'000;

}  // namespace analytics
