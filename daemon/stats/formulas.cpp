#include "daemon/stats/formulas.h"

#include <cmath>

namespace analytics {
namespace {

/// `part` of `whole`, times `scale`, rounded; 0 of nothing. Multiplied before it is divided: 23 of
/// 40 is 57.5 %, and not a little less.
double share(std::int64_t part, std::int64_t whole, std::int64_t scale = 1) {
  if (whole == 0) return 0;
  return std::nearbyint(static_cast<double>(scale * part) / static_cast<double>(whole));
}

Value money_of(const Sums& sums, bool is_average) {
  std::vector<Money> amounts;
  for (const auto& [currency, sum] : sums.revenue) {
    amounts.push_back({currency, is_average ? sum.micros / sum.events : sum.micros});
  }
  return amounts;
}

}  // namespace

Value value_of(Metric metric, const Sums& sums, const Wholes& wholes) {
  switch (metric) {
    case Metric::kVisitors: return static_cast<double>(sums.visitors);
    case Metric::kVisits: return static_cast<double>(sums.visits);
    case Metric::kPageviews: return static_cast<double>(sums.pageviews);
    case Metric::kEvents: return static_cast<double>(sums.events);
    case Metric::kViewsPerVisit: return share(sums.pageviews, sums.visits, 100) / 100;
    case Metric::kBounceRate: return share(sums.bounces, sums.visits, 100);
    case Metric::kVisitDuration:
      if (sums.visits == 0) return {};
      return share(sums.visit_seconds, sums.visits);
    case Metric::kPercentage: return share(sums.visitors, wholes.visitors, 1'000) / 10;
    case Metric::kConversionRate: return share(sums.visitors, wholes.everyone, 10'000) / 100;
    case Metric::kGroupConversionRate:
      return share(sums.visitors, wholes.group_everyone, 10'000) / 100;
    case Metric::kTotalRevenue: return money_of(sums, false);
    case Metric::kAverageRevenue: return money_of(sums, true);
  }
  return {};
}

Value change_of(Metric metric, const Value& value, const Value& before) {
  const auto* now = std::get_if<double>(&value);
  const auto* then = std::get_if<double>(&before);
  if (now == nullptr || then == nullptr) return {};
  if (info_of(metric).change_in_points) return *then == 0 ? Value() : *now - *then;
  if (metric == Metric::kConversionRate || metric == Metric::kGroupConversionRate) {
    return std::round(10 * (*now - *then)) / 10;
  }
  if (*then == 0) return *now == 0 ? 0.0 : 100.0;
  return std::round(100 * (*now - *then) / *then);
}

}  // namespace analytics
