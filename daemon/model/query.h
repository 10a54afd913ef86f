#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "common/time.h"
#include "daemon/model/site.h"

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
};
[[nodiscard]] std::string_view metric_name(Metric metric);
[[nodiscard]] std::optional<Metric> parse_metric(std::string_view name);

/// From ≤ time < to.
struct TimeRange {
  UnixSeconds from{};
  UnixSeconds to{};
  bool operator==(const TimeRange&) const = default;
};

/// A question about one site: a value that every view makes and only stores know how to answer.
struct Query {
  SiteId site = 0;
  TimeRange range;
  std::vector<Metric> metrics;
};

/// What a store adds up: everything a metric is computed from, so that parts of an answer can be
/// joined before.
struct Sums {
  std::int64_t visitors = 0;  ///< Distinct ids; they change every UTC day.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;  ///< Of any name but engagement.
  std::int64_t visits = 0;  ///< Distinct, with an event in the range.
  std::int64_t bounces = 0;
  std::int64_t visit_seconds = 0;  ///< Of all those visits, in and out of the range.
};

}  // namespace analytics
