#include "daemon/model/query.h"

#include <array>

namespace analytics {
namespace {

struct Name {
  Metric metric;
  std::string_view name;
};
constexpr std::array<Name, 7> kNames = {{{Metric::kVisitors, "visitors"},
                                         {Metric::kVisits, "visits"},
                                         {Metric::kPageviews, "pageviews"},
                                         {Metric::kEvents, "events"},
                                         {Metric::kViewsPerVisit, "views_per_visit"},
                                         {Metric::kBounceRate, "bounce_rate"},
                                         {Metric::kVisitDuration, "visit_duration"}}};

}  // namespace

std::string_view metric_name(Metric metric) {
  for (const auto& row : kNames) {
    if (row.metric == metric) return row.name;
  }
  return {};
}

std::optional<Metric> parse_metric(std::string_view name) {
  for (const auto& row : kNames) {
    if (row.name == name) return row.metric;
  }
  return std::nullopt;
}

}  // namespace analytics
