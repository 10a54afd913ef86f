#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/dimension.h"
#include "common/period.h"
#include "common/time.h"
#include "daemon/model/filter.h"
#include "daemon/model/goal.h"
#include "daemon/model/site.h"
#include "daemon/model/sums.h"

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
  std::string zone = kDefaultTimezone;  ///< Whose days daily totals are of.
  /// Daily totals of days of which no events are kept count, too, where these days lie wholly in
  /// the range and they can answer the filter (`daemon/totals/totals_source.h`). REQUIRES:
  /// groupings by one dimension at most, which is not the hour.
  bool with_totals = false;
  /// With these, daily totals that were imported count, too: for days without events.
  bool with_imports = false;
  /// Only engagements count, which else do not. REQUIRES: no totals.
  bool engagements = false;
  bool operator==(const Selection&) const = default;
};

/// A dimension that events are grouped by.
struct GroupBy {
  Dimension dimension;
  std::string empty_text{};  ///< The text of an empty value.
};

/// Goals that form one group of a grouping by goals. An event that meets several is in it once.
struct GoalGroup {
  std::string name;
  std::vector<Goal> goals;
};
/// Returns one group for all goals of the same name.
[[nodiscard]] std::vector<GoalGroup> group_by_name(const std::vector<Goal>& goals);

/// The groups that events are sorted into, and the sums that each group needs. An event belongs to
/// the group of each value that it has: an event that meets two goals belongs to two groups, one
/// that meets none to no group.
struct Grouping {
  std::vector<GroupBy> dimensions{};  ///< None: one group with all events.
  /// The start of each time bucket in order, if a dimension is time.
  std::vector<UnixSeconds> buckets{};
  std::vector<GoalGroup> goals{};  ///< The groups by goals, if a dimension is kGoal.
  /// These say which sums are needed beside visitors; the others may be anything.
  bool events = true;  ///< With pageviews.
  bool visits = false;
  bool revenue = false;
  bool engagements =
      false;  ///< No other sums, not even visitors. REQUIRES: Selection::engagements.
};

/// Says what became of the daily totals of a range.
struct TotalsUse {
  std::vector<Period> kept;   ///< The days that have some, of events that were here.
  bool are_added = false;     ///< Some count.
  bool are_left_out = false;  ///< There are others that do not.
  bool are_imports_added = false;
  bool are_imports_left_out = false;
  bool has_imports = false;  ///< The site has imported totals, of any day. Only where they count.
};

/// All groupings of the same events.
struct Aggregation {
  Selection selection;
  std::vector<Grouping> groupings;
};

/// A metric or dimension of the query by which its rows are ordered.
struct OrderKey {
  std::optional<Metric> metric;
  Dimension dimension;  ///< Without a metric.
  bool descending = false;
  bool operator==(const OrderKey&) const = default;
};

/// Says which rows there are, by the first dimension's value. What rows are shares of does not
/// change.
struct RowChoice {
  std::string search{};        ///< It contains that, as people read it, in any case; empty: any.
  bool without_empty = false;  ///< It is not the empty value.
  bool operator==(const RowChoice&) const = default;
};

/// A query: a table of metrics with a row for each combination of dimension values.
struct Query {
  Selection selection;
  std::string zone = kDefaultTimezone;  ///< IANA name; whose days, weeks and months there are.
  std::vector<Metric> metrics;
  std::vector<Dimension> dimensions;  ///< None: one row. At most one is of time.
  std::vector<OrderKey> order;        ///< Empty: time first, then the first metric, most first.
  /// Another range: each row also tells what it was then, and a series over time alone has a row
  /// for each bucket.
  std::optional<TimeRange> before{};
  RowChoice rows{};  ///< REQUIRES for a choice: a dimension, the first of them not time.
  std::size_t limit = 10'000;
  std::size_t offset = 0;
};

}  // namespace analytics
