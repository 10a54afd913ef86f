#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/time.h"
#include "daemon/model/dimension.h"
#include "daemon/model/filter.h"
#include "daemon/model/goal.h"
#include "daemon/model/metric.h"
#include "daemon/model/site.h"

namespace analytics {

/// From ≤ time < to.
struct TimeRange {
  UnixSeconds from{};
  UnixSeconds to{};
  bool operator==(const TimeRange&) const = default;
};

/// Selects events.
struct Selection {
  SiteId site = 0;
  TimeRange range;
  Filter filter;
  std::vector<Goal> goals;  ///< The site's goals; kGoal conditions in `filter` refer to these.
  bool operator==(const Selection&) const = default;
};

/// How those events are told apart, and what is added up of each group. An event is in every group
/// it has a value of: one that meets two goals in two, one that meets none in none.
struct Grouping {
  std::vector<Dimension> dimensions;  ///< None: one group, of all.
  /// The start of each time bucket in order, if a dimension is time.
  std::vector<UnixSeconds> buckets;
  std::vector<Goal> goals;  ///< The goals that form groups, if a dimension is kGoal.
  bool visits = false;
  bool revenue = false;
};

/// Something to add up: every grouping of the same events.
struct Question {
  Selection selection;
  std::vector<Grouping> groupings;
};

struct Group {
  /// The values as shown, one per dimension; empty for a time dimension.
  std::vector<std::string> values;
  std::size_t bucket = 0;  ///< The place of its bucket, where a dimension is of time.
  Sums sums;
};

/// A metric or dimension of the query by which its rows are ordered.
struct OrderKey {
  std::optional<Metric> metric;
  Dimension dimension;  ///< Without a metric.
  bool descending = false;
  bool operator==(const OrderKey&) const = default;
};

/// A query: a table of metrics with a row for each combination of dimension values.
struct Query {
  Selection selection;
  std::string zone;  ///< IANA name; whose days, weeks and months there are.
  std::vector<Metric> metrics;
  std::vector<Dimension> dimensions;  ///< None: one row. At most one is of time.
  std::vector<OrderKey> order;        ///< Empty: time first, then the first metric, most first.
  std::size_t limit = 10'000;
  std::size_t offset = 0;
};

}  // namespace analytics
