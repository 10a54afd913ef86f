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

/// A metric as those who show, parse or compute it must know it.
struct MetricInfo {
  Metric metric;
  std::string_view name;         ///< In requests and answers: "views_per_visit".
  std::string_view label;        ///< On pages: "Views per visit".
  std::string_view short_label;  ///< In a terminal's columns: "Views/visit".
  MetricUnit unit;
  bool is_of_visits;      ///< Computed from visits.
  bool change_in_points;  ///< A change is a difference, not a percentage of the value before.
  bool less_is_better;
  bool is_in_v1 = true;        ///< The first version of the Stats API knows it.
  bool counts_events = false;  ///< Computed from events or pageviews.
};

/// Returns all metrics, in the order of Metric.
[[nodiscard]] std::span<const MetricInfo> all_metrics();
[[nodiscard]] const MetricInfo& info_of(Metric metric);
[[nodiscard]] std::optional<Metric> parse_metric(std::string_view name);

[[nodiscard]] inline std::string_view metric_name(Metric metric) { return info_of(metric).name; }
[[nodiscard]] inline bool is_of_visits(Metric metric) { return info_of(metric).is_of_visits; }
[[nodiscard]] inline bool counts_events(Metric metric) { return info_of(metric).counts_events; }
/// True if it is computed from engagements.
[[nodiscard]] inline bool is_of_engagement(Metric metric) {
  return metric == Metric::kTimeOnPage || metric == Metric::kScrollDepth;
}
[[nodiscard]] inline bool is_of_revenue(Metric metric) {
  return info_of(metric).unit == MetricUnit::kMoney;
}

}  // namespace analytics
