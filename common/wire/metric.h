#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace analytics {

/// The metrics of the Stats API.
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
  kTimeOnPage,
  kScrollDepth,
  kExitRate,
};

enum class MetricUnit { kNumber, kPercent, kSeconds, kMoney };

/// The names and properties of a metric.
struct MetricInfo {
  Metric metric;
  std::string_view name;         ///< Name in requests and answers: "views_per_visit".
  std::string_view label;        ///< Label on pages: "Views per visit".
  std::string_view short_label;  ///< Heading of a terminal's column: "Views/visit".
  MetricUnit unit;
  bool is_of_visits;  ///< True if the metric is computed from visits.
  /// True if changes are shown as a difference in points, not as a percentage.
  bool change_in_points;
  bool less_is_better;
  bool is_in_v1 = true;        ///< True if version 1 of the Stats API has the metric.
  bool counts_events = false;  ///< True if the metric is computed from events or pageviews.
};

/// Returns all metrics, in enum order.
[[nodiscard]] std::span<const MetricInfo> all_metrics();
[[nodiscard]] const MetricInfo& info_of(Metric metric);
[[nodiscard]] std::optional<Metric> parse_metric(std::string_view name);

[[nodiscard]] inline std::string_view metric_name(Metric metric) { return info_of(metric).name; }
[[nodiscard]] inline bool is_of_visits(Metric metric) { return info_of(metric).is_of_visits; }
[[nodiscard]] inline bool counts_events(Metric metric) { return info_of(metric).counts_events; }
/// Returns true if the metric is computed from engagements.
[[nodiscard]] inline bool is_of_engagement(Metric metric) {
  return metric == Metric::kTimeOnPage || metric == Metric::kScrollDepth;
}
[[nodiscard]] inline bool is_of_revenue(Metric metric) {
  return info_of(metric).unit == MetricUnit::kMoney;
}

}  // namespace analytics
