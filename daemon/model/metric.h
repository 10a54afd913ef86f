#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace analytics {

/// What can be counted (stats.md, Metrics). Names are those of the Stats API.
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

/// Whether it is made of visits.
[[nodiscard]] bool is_of_visits(Metric metric);
[[nodiscard]] bool is_of_revenue(Metric metric);

/// What events of one currency brought.
struct RevenueSum {
  std::int64_t micros = 0;
  std::int64_t events = 0;
  bool operator==(const RevenueSum&) const = default;
};

/// What a store adds up: everything a metric is computed from.
struct Sums {
  std::int64_t visitors = 0;  ///< Distinct ids; they change every UTC day.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;  ///< Of any name but engagement.
  std::int64_t visits = 0;  ///< Distinct, with an event among those counted.
  std::int64_t bounces = 0;
  std::int64_t visit_seconds = 0;             ///< Of all those visits, in and out of the range.
  std::map<std::string, RevenueSum> revenue;  ///< By currency.
  bool operator==(const Sums&) const = default;
};

}  // namespace analytics
