#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace analytics {

/// The metrics, under their names in the Stats API.
enum class Metric {
  kVisitors,
  kVisits,
  kPageviews,
  kEvents,
  kViewsPerVisit,
  kBounceRate,
  kVisitDuration,
  kPercentage,
  kConversionRate,
  kGroupConversionRate,
  kTotalRevenue,
  kAverageRevenue,
};
[[nodiscard]] std::string_view metric_name(Metric metric);
[[nodiscard]] std::optional<Metric> parse_metric(std::string_view name);

/// True if the metric is computed from visits.
[[nodiscard]] bool is_of_visits(Metric metric);
[[nodiscard]] bool is_of_revenue(Metric metric);

/// The revenue of events in one currency.
struct RevenueSum {
  std::int64_t micros = 0;
  std::int64_t events = 0;
  bool operator==(const RevenueSum&) const = default;
};

/// The sums from which metrics are computed.
struct Sums {
  std::int64_t visitors = 0;  ///< Distinct ids; they change every UTC day.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;  ///< Events of any name except engagement.
  std::int64_t visits = 0;  ///< Distinct, with an event among those counted.
  std::int64_t bounces = 0;
  /// Duration of all those visits, including the parts outside the range.
  std::int64_t visit_seconds = 0;
  std::map<std::string, RevenueSum> revenue;  ///< By currency.
  bool operator==(const Sums&) const = default;
};

}  // namespace analytics
