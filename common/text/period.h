#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "common/text/time.h"

namespace analytics {

/// A range of days, both ends included.
struct Period {
  Days first{};
  Days last{};
  bool operator==(const Period&) const = default;
};

/// Periods that a shared page offers, by their names in its URL.
inline constexpr std::array<std::string_view, 9> kPagePeriods = {
    "realtime", "day", "7d", "30d", "month", "6mo", "12mo", "year", "all"};

/// Returns the days that a word of the Stats API v2 means on the day `today`: `day`, `7d`, `6mo`,
/// `month`, `year`, and `all` from 1970. `7d` and the like end with the day before, `6mo` and the
/// like with the last month.
[[nodiscard]] std::optional<Period> days_of(std::string_view word, Days today);

}  // namespace analytics
