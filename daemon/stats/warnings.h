#pragma once

#include <optional>
#include <string_view>

#include "common/metric.h"
#include "daemon/model/query.h"

namespace analytics {

/// Why a metric does not say all, or nothing.
struct Warning {
  std::string_view code;  ///< For programs: "totals_left_out".
  std::string_view text;
};

/// Of totals that were imported, and do not count in an answer.
inline constexpr Warning kImportsLeftOut{
    "imports_left_out",
    "Some imported totals are left out: they count for whole days, by at most one dimension that "
    "they have, which is not the hour, and under filters on that dimension alone."};

inline constexpr Warning kNoRevenue{"no_revenue_goals_matching",
                                    "Revenue is null, as no event that counts here has any."};

/// Returns why a metric means nothing beside the query's dimensions and filters, if so.
[[nodiscard]] std::optional<Warning> meaningless(const Query& query, Metric metric);

/// Returns what a metric lacks of days of which only daily totals are kept, if anything.
[[nodiscard]] std::optional<Warning> warning_of(Metric metric, const TotalsUse& totals);

}  // namespace analytics
