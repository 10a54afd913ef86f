#pragma once

#include <optional>
#include <string_view>

#include "common/wire/metric.h"
#include "daemon/model/query.h"

namespace analytics {

/// The reason why a metric is incomplete or undefined.
struct Warning {
  std::string_view code;  ///< Code for programs, such as "totals_left_out".
  std::string_view text;  ///< Sentences for people.
};

/// Warns that imported totals exist but do not count in the answer.
inline constexpr Warning kImportsLeftOut{
    "imports_left_out",
    "Some imported totals are left out: they count for whole days, by at most one dimension that "
    "they have, which is not the hour or minute, and under filters on that dimension alone."};

inline constexpr Warning kNoRevenue{"no_revenue_goals_matching",
                                    "Revenue is null, as no event that counts here has any."};

/// Returns the reason why a metric is meaningless with the query's dimensions and filters; nullopt
/// if it is meaningful.
[[nodiscard]] std::optional<Warning> meaningless(const Query& query, Metric metric);

/// Returns a warning if a metric is incomplete because only daily totals are kept for some days.
[[nodiscard]] std::optional<Warning> warning_of(Metric metric, const TotalsUse& totals);

}  // namespace analytics
