#include "common/wire/metric.h"

#include <array>

#include "common/wire/catalogue.h"

namespace analytics {
namespace {

// One row for each metric, in enum order.
constexpr auto kMetrics = [] {
  using enum Metric;
  using enum MetricUnit;
  return std::array{
      MetricInfo{kVisitors, "visitors", "Visitors", "Visitors", kNumber, false, false, false},
      MetricInfo{kVisits, "visits", "Visits", "Visits", kNumber, true, false, false},
      MetricInfo{kPageviews, "pageviews", "Pageviews", "Pageviews", kNumber, false, false, false,
                 true, true},
      MetricInfo{kEvents, "events", "Total", "Events", kNumber, false, false, false, true, true},
      MetricInfo{kViewsPerVisit, "views_per_visit", "Views per visit", "Views/visit", kNumber, true,
                 false, false, true, true},
      MetricInfo{kBounceRate, "bounce_rate", "Bounce rate", "Bounce rate", kPercent, true, true,
                 true},
      MetricInfo{kVisitDuration, "visit_duration", "Visit duration", "Duration", kSeconds, true,
                 false, false},
      MetricInfo{kPercentage, "percentage", "Share", "Percentage", kPercent, false, false, false},
      MetricInfo{kConversionRate, "conversion_rate", "Rate", "Conversion rate", kPercent, false,
                 true, false},
      MetricInfo{kGroupConversionRate, "group_conversion_rate", "Rate", "Group conversion rate",
                 kPercent, false, true, false, false},
      MetricInfo{kTotalRevenue, "total_revenue", "Revenue", "Total revenue", kMoney, false, false,
                 false},
      MetricInfo{kAverageRevenue, "average_revenue", "Average", "Average revenue", kMoney, false,
                 false, false},
      MetricInfo{kTimeOnPage, "time_on_page", "Time on page", "Time on page", kSeconds, false,
                 false, false},
      MetricInfo{kScrollDepth, "scroll_depth", "Scroll depth", "Scroll depth", kPercent, false,
                 false, false},
      MetricInfo{kExitRate, "exit_rate", "Exit rate", "Exit rate", kPercent, true, true, true,
                 false},
  };
}();

static_assert(is_complete(kMetrics, &MetricInfo::metric, Metric::kExitRate));

}  // namespace

std::span<const MetricInfo> all_metrics() { return kMetrics; }

const MetricInfo& info_of(Metric metric) { return kMetrics[static_cast<std::size_t>(metric)]; }

std::optional<Metric> parse_metric(std::string_view name) {
  const auto* row = find_row(kMetrics, name);
  if (row == nullptr) return std::nullopt;
  return row->metric;
}

}  // namespace analytics
