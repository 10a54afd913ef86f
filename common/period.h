#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "common/time.h"

namespace analytics {

/// Days, both of them included.
struct Period {
  Days first{};
  Days last{};
  bool operator==(const Period&) const = default;
};

/// The periods that a shared page offers, as its URL names them.
inline constexpr std::array<std::string_view, 9> kPagePeriods = {
    "realtime", "day", "7d", "30d", "month", "6mo", "12mo", "year", "all"};

/// Returns the days of a word of the Stats API v2, as told on a day: `day`, `7d`, `6mo`, `month`,
/// `year`, and `all` from 1970. Those with a number end with the day before, or with the last
/// month.
[[nodiscard]] std::optional<Period> days_of(std::string_view word, Days today);

}  // namespace analytics
