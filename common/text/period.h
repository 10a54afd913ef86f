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
/// `month`, `year`, and `all` from 1970. Periods such as `7d` end with the day before `today`,
/// periods such as `6mo` with the month before. Returns nullopt for any other word.
[[nodiscard]] std::optional<Period> days_of(std::string_view word, Days today);

}  // namespace analytics
