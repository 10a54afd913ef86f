#include "daemon/model/metric.h"

#include <algorithm>
#include <array>

namespace analytics {
namespace {

// In the order of Metric.
constexpr std::array<std::string_view, 12> kNames = {
    "visitors",      "visits",         "pageviews",  "events",          "views_per_visit",
    "bounce_rate",   "visit_duration", "percentage", "conversion_rate", "group_conversion_rate",
    "total_revenue", "average_revenue"};

}  // namespace

std::string_view metric_name(Metric metric) { return kNames[static_cast<std::size_t>(metric)]; }

std::optional<Metric> parse_metric(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<Metric>(at - kNames.begin());
}

bool is_of_visits(Metric metric) {
  return metric == Metric::kVisits || metric == Metric::kViewsPerVisit ||
         metric == Metric::kBounceRate || metric == Metric::kVisitDuration;
}

bool is_of_revenue(Metric metric) {
  return metric == Metric::kTotalRevenue || metric == Metric::kAverageRevenue;
}

}  // namespace analytics
