#include "daemon/stats/formulas.h"

#include <cmath>

namespace analytics {
namespace {

double ratio(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::optional<double> value_of(Metric metric, const Sums& sums) {
  switch (metric) {
    case Metric::kVisitors: return static_cast<double>(sums.visitors);
    case Metric::kVisits: return static_cast<double>(sums.visits);
    case Metric::kPageviews: return static_cast<double>(sums.pageviews);
    case Metric::kEvents: return static_cast<double>(sums.events);
    // Multiplied before they are divided: 23 of 40 is 57.5 %, and not a little less.
    case Metric::kViewsPerVisit: return std::round(ratio(100 * sums.pageviews, sums.visits)) / 100;
    case Metric::kBounceRate: return std::round(ratio(100 * sums.bounces, sums.visits));
    case Metric::kVisitDuration:
      if (sums.visits == 0) return std::nullopt;
      return std::round(ratio(sums.visit_seconds, sums.visits));
  }
  return std::nullopt;
}

std::optional<double> change_of(Metric metric, std::optional<double> value,
                                std::optional<double> before) {
  if (!value || !before) return std::nullopt;
  if (metric == Metric::kBounceRate) return *value - *before;
  if (*before == 0) return *value == 0 ? 0 : 100;
  return std::round(100 * (*value - *before) / *before);
}

}  // namespace analytics
