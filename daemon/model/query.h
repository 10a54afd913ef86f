#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/text/period.h"
#include "common/text/time.h"
#include "common/wire/dimension.h"
#include "daemon/model/filter.h"
#include "daemon/model/goal.h"
#include "daemon/model/site.h"
#include "daemon/model/sums.h"

namespace analytics {

/// The times with from ≤ time < to.
struct TimeRange {
  UnixSeconds from{};
  UnixSeconds to{};
  bool operator==(const TimeRange&) const = default;
};

/// Selects the events that a query counts.
struct Selection {
  SiteId site = 0;
  TimeRange range;
  Filter filter;
  /// The site's goals; kGoal conditions in `filter` and `view` refer to these.
  std::vector<Goal> goals;
  std::string zone = kDefaultTimezone;  ///< IANA time zone; defines the days of daily totals.
  /// If true, daily totals also count for days whose events are no longer kept. Such a day must
  /// lie completely in the range, and its totals must be able to answer the filter
  /// (`daemon/totals/totals_source.h`). REQUIRES: groupings by at most one dimension, which is
  /// neither the hour nor the minute.
  bool with_totals = false;
  /// If true together with `with_totals`, imported daily totals also count, for days without
  /// events.
  bool with_imports = false;
  /// If true, only `engagement` events count; if false, all other events. REQUIRES: not together
  /// with `with_totals`.
  bool engagements = false;
  /// Filter of a shared link. Events that it refuses are treated as if they had never been sent, so
  /// visits are made only from the other events.
  Filter view{};
  bool operator==(const Selection&) const = default;
};

/// A dimension that events are grouped by.
struct GroupBy {
  Dimension dimension;
  std::string empty_text{};  ///< Text shown for an empty value.
};

/// Goals with the same name, which form one group when a query groups by goal. An event that meets
/// several of these goals counts once in the group.
struct GoalGroup {
  std::string name;
  std::vector<Goal> goals;
};
/// Returns a group for each name, with all goals that have the name.
[[nodiscard]] std::vector<GoalGroup> group_by_name(const std::vector<Goal>& goals);

/// Defines how events are grouped, and which sums each group needs. An event belongs to the group
/// of each value that it has: an event that meets two goals belongs to two groups, and an event
/// that meets no goal belongs to none.
struct Grouping {
  /// Dimensions to group by; empty for a single group with all events.
  std::vector<GroupBy> dimensions{};
  /// Start of each time bucket, in order, if a dimension is time.
  std::vector<UnixSeconds> buckets{};
  std::vector<GoalGroup> goals{};  ///< Groups of goals if a dimension is kGoal.
  // The next three members select the sums to compute in addition to visitors; other members of
  // Sums are undefined.
  bool events = true;   ///< True for events and pageviews.
  bool visits = false;  ///< True for visits and the sums of their facts.
  bool revenue = false;
  /// If true, only engagement times and scroll depths are summed, not even visitors. REQUIRES:
  /// Selection::engagements.
  bool engagements = false;
};

/// Reports whether the result of a query includes the daily totals in its range.
struct TotalsUse {
  std::vector<Period> kept;           ///< Days with totals that were made from stored events.
  bool are_added = false;             ///< True if the result includes some of the totals.
  bool are_left_out = false;          ///< True if the result leaves out some of the totals.
  bool are_imports_added = false;     ///< Like are_added, for imported totals.
  bool are_imports_left_out = false;  ///< Like are_left_out, for imported totals.
  /// True if the site has imported totals of any day, also outside the range. Set only if
  /// Selection::with_imports is true.
  bool has_imports = false;
};

/// The sums that a query needs over one selection of events, grouped in one or several ways.
struct Aggregation {
  Selection selection;
  std::vector<Grouping> groupings;
};

/// A metric or dimension that the rows of a query are ordered by.
struct OrderKey {
  std::optional<Metric> metric;
  Dimension dimension;  ///< Dimension to order by if `metric` is empty.
  bool descending = false;
  bool operator==(const OrderKey&) const = default;
};

/// Selects rows of a result by the value of their first dimension. Percentages still refer to the
/// totals of all rows.
struct RowChoice {
  std::string search{};  ///< Text that the shown value must contain, ignoring case; empty for any.
  bool without_empty = false;  ///< If true, leaves out the row of the empty value.
  bool operator==(const RowChoice&) const = default;
};

/// A query: a table of metrics with a row for each combination of dimension values.
struct Query {
  Selection selection;
  std::string zone = kDefaultTimezone;  ///< IANA name; defines days, weeks and months.
  std::vector<Metric> metrics;
  /// Dimensions of the rows, at most one of them a time dimension; empty for a single row.
  std::vector<Dimension> dimensions;
  /// Order of the rows. If empty: by time, then by the first metric, descending.
  std::vector<OrderKey> order;
  /// A second range to compare with: each row also contains the values that its group has in that
  /// range. If time is the only dimension, there is a row for each time bucket.
  std::optional<TimeRange> before{};
  /// Leaves out some of the rows. REQUIRES: unless it is the default, the query has a dimension,
  /// and the first is not time.
  RowChoice rows{};
  std::size_t limit = 10'000;
  std::size_t offset = 0;
};

}  // namespace analytics
