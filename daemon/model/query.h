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

/// Which events are meant.
struct Selection {
  SiteId site = 0;
  TimeRange range;
  Filter filter;
  std::vector<Goal> goals;  ///< Of the site: what kGoal means in the filter.
  bool operator==(const Selection&) const = default;
};

/// How those events are told apart, and what is added up of each group. An event is in every group
/// it has a value of: one that meets two goals in two, one that meets none in none.
struct Grouping {
  std::vector<Dimension> dimensions;  ///< None: one group, of all.
  std::vector<UnixSeconds> buckets;   ///< Where a dimension is time: their first moments, in order.
  std::vector<Goal> goals;            ///< Where a dimension is kGoal: those that are groups.
  bool visits = false;
  bool revenue = false;
};

/// Something to add up: every grouping of the same events.
struct Question {
  Selection selection;
  std::vector<Grouping> groupings;
};

struct Group {
  std::vector<std::string> values;  ///< As they read, one a dimension; empty for one of time.
  std::size_t bucket = 0;           ///< The place of its bucket, where a dimension is of time.
  Sums sums;
};

/// What rows are ordered by: one of the query's metrics or dimensions.
struct OrderKey {
  std::optional<Metric> metric;
  Dimension dimension;  ///< Without a metric.
  bool descending = false;
  bool operator==(const OrderKey&) const = default;
};

/// What somebody wants to know, whoever asks and however: a table of metrics, a row for every
/// combination of values.
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
