#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/wire/day_sums.h"
#include "common/wire/dimension.h"
#include "daemon/model/sums.h"

/// Daily totals: sums that are stored for a day whose events are no longer stored, or never were.
namespace analytics::totals {

[[nodiscard]] DaySums day_sums(const Sums& sums);
/// Adds sums of days, from which overlaps may have been subtracted, to sums of events. Leaves the
/// members of `sums` that DaySums lacks unchanged. Sums below 0 become 0: events may have been
/// removed since an overlap was computed.
void add(Sums& sums, const DaySums& more);

/// The sums of a day for one value of a dimension.
struct ValueSums {
  std::uint32_t value = 0;  ///< Id of the value's text; 0 for the empty text.
  DaySums sums;
  bool operator==(const ValueSums&) const = default;
};

/// Name under which the days that have imported totals are stored, as if they were a dimension's
/// totals. Such an entry contains no values.
inline constexpr std::string_view kImportedDays = "imported";
/// Prefix of the names under which overlaps are stored. The overlap of a day with the day before is
/// how much the sums of the two days exceed the sums over both days together, because a visit over
/// midnight counts on both days. It may be negative.
inline constexpr std::string_view kOverlap = "overlap:";
/// Returns the name under which totals by a dimension are stored: "visit:source",
/// "event:props:plan", and "event:props" for the keys of properties. Dimensions with the same
/// values have the same name. Returns nullopt for dimensions of time, which use totals without a
/// dimension.
[[nodiscard]] std::optional<std::string> stored_name(const Dimension& dimension);

/// Returns a day's totals by one dimension as bytes. REQUIRES: values in ascending order.
[[nodiscard]] std::string to_bytes(std::span<const ValueSums> day);
/// Reads bytes that to_bytes() returned. Throws parts::Damaged if they are malformed, or contain a
/// negative sum although they are not overlaps.
[[nodiscard]] std::vector<ValueSums> from_bytes(std::string_view bytes, bool are_overlaps = false);

}  // namespace analytics::totals
