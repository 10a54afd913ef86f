#pragma once

#include <optional>

#include "daemon/model/query.h"

namespace analytics {

/// A metric as the Stats API prints it: whole numbers, or two decimals for views_per_visit. None:
/// there is no value, as the duration of no visit. Pure.
[[nodiscard]] std::optional<double> value_of(Metric metric, const Sums& sums);

/// How much more than before, in percent, for bounce_rate in points; 100 after nothing. None where
/// a value is none. Pure.
[[nodiscard]] std::optional<double> change_of(Metric metric, std::optional<double> value,
                                              std::optional<double> before);

}  // namespace analytics
