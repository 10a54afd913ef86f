#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/dimension.h"
#include "daemon/model/sums.h"

/// Daily totals: what is kept of a day whose events are not.
namespace analytics::totals {

/// Sums of the events of a day that have one value of a dimension.
struct DaySums {
  std::int64_t visitors = 0;
  std::int64_t visits = 0;
  std::int64_t pageviews = 0;
  std::int64_t events = 0;
  std::int64_t bounces = 0;
  std::int64_t seconds = 0;  ///< The duration of all those visits.
  bool operator==(const DaySums&) const = default;
  DaySums& operator+=(const DaySums& other);
};
[[nodiscard]] DaySums day_sums(const Sums& sums);
/// Adds them to sums of events.
void add(Sums& sums, const DaySums& more);

struct ValueSums {
  std::uint32_t value = 0;  ///< The number of its text; 0: empty.
  DaySums sums;
  bool operator==(const ValueSums&) const = default;
};

/// The name under which totals without a dimension are stored.
inline constexpr std::string_view kAll = "total";
/// The name under which totals by a dimension are stored: "visit:source", "event:props:plan", and
/// "event:props" for the keys of properties; the same for dimensions with the same values. None: a
/// dimension of time, whose totals are those without one.
[[nodiscard]] std::optional<std::string> stored_name(const Dimension& dimension);

/// Returns the totals of one day by one dimension as bytes. REQUIRES: values in ascending order, no
/// negative sums.
[[nodiscard]] std::string to_bytes(std::span<const ValueSums> day);
/// Throws parts::Damaged unless to_bytes() made the bytes.
[[nodiscard]] std::vector<ValueSums> from_bytes(std::string_view bytes);

}  // namespace analytics::totals
