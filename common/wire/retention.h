#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/run/result.h"
#include "common/text/time.h"

namespace analytics {

/// Time for which a site's events are kept: forever, or a number of whole days or months before
/// today.
struct Retention {
  enum class Unit { kForever, kDays, kMonths };
  Unit unit = Unit::kForever;
  int count = 0;  ///< Number of days or months; 0 for kForever.
  bool operator==(const Retention&) const = default;
};

/// Reads "forever", "90d" or "25mo". Errors: kInvalidParameter for `keep`.
[[nodiscard]] Result<Retention> parse_retention(std::string_view text);
[[nodiscard]] std::string to_text(const Retention& retention);

/// Returns the first day whose events are kept on the day `today`; nullopt if all events are kept.
/// One month before 31 March is the last day of February.
[[nodiscard]] std::optional<Days> first_kept(const Retention& retention, Days today);

/// Returns true if `a` keeps fewer days than `b`.
[[nodiscard]] bool is_shorter(const Retention& a, const Retention& b, Days today);

}  // namespace analytics
