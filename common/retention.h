#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/result.h"
#include "common/time.h"

namespace analytics {

/// How long the events of a site are kept: forever, or for some whole days or months before today.
struct Retention {
  enum class Unit { kForever, kDays, kMonths };
  Unit unit = Unit::kForever;
  int count = 0;  ///< 0 if forever.
  bool operator==(const Retention&) const = default;
};

/// Reads "forever", "90d" or "25mo". Errors: kInvalidParameter, for the parameter `keep`.
[[nodiscard]] Result<Retention> parse_retention(std::string_view text);
[[nodiscard]] std::string to_text(const Retention& retention);

/// Returns the first day that is kept, if today is that day; none: all are. A month before
/// 31 March begins with the last day of February.
[[nodiscard]] std::optional<Days> first_kept(const Retention& retention, Days today);

/// True if `a` keeps fewer days than `b`.
[[nodiscard]] bool is_shorter(const Retention& a, const Retention& b, Days today);

}  // namespace analytics
