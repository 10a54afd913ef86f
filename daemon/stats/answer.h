#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "daemon/model/query.h"
#include "daemon/stats/buckets.h"
#include "daemon/stats/formulas.h"
#include "daemon/store/stats_store.h"

namespace analytics {

/// A row of an answer, with the text of each dimension and the value of each metric.
struct Row {
  std::vector<std::string> dimensions;
  std::vector<Value> metrics;
  std::size_t bucket = 0;  ///< Index into Answer::buckets if a dimension is time.
  /// The values of the row's group in Query::before, the range that the query is compared with.
  struct Earlier {
    std::vector<std::string> dimensions;
    std::vector<Value> metrics;
  };
  std::optional<Earlier> before;
};

/// The result of a query, with the facts from which its caveats are made.
struct Answer {
  std::vector<Row> rows;         ///< Rows from Query::offset on, at most Query::limit.
  std::size_t total_rows = 0;    ///< Number of rows without offset and limit.
  std::vector<Bucket> buckets;   ///< The time buckets of the range, if a dimension is time.
  TotalsUse totals{};            ///< How daily totals were used for the answer.
  bool removal_running = false;  ///< True while events of the site are removed.
  /// Days with events that arrived too late to recognise their visitors.
  std::vector<Caveats::LostDay> recognition_lost{};
  /// Percentage of the visitors who are in those of `rows` that are named kOtherText.
  double other = 0;
  store::Extent extent{};  ///< How complete the events were that the store read in a cluster.
};

/// Returns a row for every bucket, including buckets without events. REQUIRES: `answer` is the
/// answer to `query`, whose only dimension is time.
[[nodiscard]] std::vector<Row> every_bucket(const Query& query, const Answer& answer);

/// Returns true if the query's dimensions allow daily totals: at most one dimension, which is
/// neither the hour nor the minute. The query's filter is not checked.
[[nodiscard]] bool can_add_totals(const Query& query);

/// Answers several queries from the same snapshot of the store. Reads the events once for all
/// queries that select the same events. Errors: those of StatsStore::run().
///
/// A page's bounce rate and visit duration are those of visits that began on it. So queries by
/// event:page count both metrics by entry page, and for both metrics a condition on event:page
/// refers to entry pages.
[[nodiscard]] Result<std::vector<Answer>> answer(std::span<const Query> queries,
                                                 store::StatsStore& store);
[[nodiscard]] Result<Answer> answer(const Query& query, store::StatsStore& store);

/// Appends the items of `from` that `to` does not contain.
template <typename T>
void add_missing(const std::vector<T>& from, std::vector<T>& to) {
  for (const auto& item : from) {
    if (std::find(to.begin(), to.end(), item) == to.end()) to.push_back(item);
  }
}

/// Replaces the metric conversion_rate by group_conversion_rate, which is relative to the visitors
/// of each row, unless a dimension is the goal or a property: then the rows are conversions.
void rate_by_row(Query& query);

/// Returns the order of rows if the query does not define one: by time, then by the first metric,
/// descending.
[[nodiscard]] std::vector<OrderKey> default_order(const Query& query);

}  // namespace analytics
