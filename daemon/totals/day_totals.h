#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/day_sums.h"
#include "common/dimension.h"
#include "daemon/model/sums.h"

/// Daily totals: what is kept of a day whose events are not.
namespace analytics::totals {

[[nodiscard]] DaySums day_sums(const Sums& sums);
/// Adds them to sums of events.
void add(Sums& sums, const DaySums& more);

struct ValueSums {
  std::uint32_t value = 0;  ///< The number of its text; 0: empty.
  DaySums sums;
  bool operator==(const ValueSums&) const = default;
};

/// The name under which the days of an import are stored, without values.
inline constexpr std::string_view kImportedDays = "imported";
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
