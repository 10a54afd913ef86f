#include "daemon/stats/warnings.h"

namespace analytics {

std::optional<Warning> warning_of(Metric metric, const TotalsUse& totals) {
  if (totals.are_left_out) {
    return Warning{
        "totals_left_out",
        "Only daily totals are kept of some of these days. They count without filters, by "
        "at most one dimension, which is not the hour, and for whole days."};
  }
  if (totals.are_added && is_of_revenue(metric)) {
    return Warning{"totals_without_revenue",
                   "Only daily totals are kept of some of these days, and they have no revenue."};
  }
  return std::nullopt;
}

}  // namespace analytics
