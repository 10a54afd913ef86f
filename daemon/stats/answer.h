#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/result.h"
#include "daemon/model/query.h"
#include "daemon/stats/buckets.h"
#include "daemon/stats/formulas.h"
#include "daemon/store/stats_store.h"

namespace analytics {

struct Row {
  std::vector<std::string> dimensions;
  std::vector<Value> metrics;
  std::size_t bucket = 0;  ///< Its place among Answer::buckets, where a dimension is of time.
  /// The same row in the range that the query is compared with.
  struct Earlier {
    std::vector<std::string> dimensions;
    std::vector<Value> metrics;
  };
  std::optional<Earlier> before;
};

struct Answer {
  std::vector<Row> rows;        ///< Those of the page that was asked for.
  std::size_t total_rows = 0;   ///< Number of rows on all pages together.
  std::vector<Bucket> buckets;  ///< The time buckets of the range, if a dimension is time.
  TotalsUse totals{};           ///< Says if days of which no events are kept count.
  bool removal_running = false;
  std::vector<Caveats::LostDay> recognition_lost{};
  double other = 0;  ///< See Caveats: of the page's rows.
  store::Extent extent{};
};

/// A row for every bucket, also for those without events. REQUIRES: an answer to the query, whose
/// one dimension is of time.
[[nodiscard]] std::vector<Row> every_bucket(const Query& query, const Answer& answer);

/// True if daily totals can answer the query, if they can answer its filter: it has one dimension
/// at most, which is not the hour.
[[nodiscard]] bool can_add_totals(const Query& query);

/// Answers queries, in one reading of the events for all that are about the same ones, and at the
/// same moment. Errors: those of StatsStore::run().
///
/// A page's bounce rate and visit duration are those of visits that began there: by event:page both
/// are counted by entry page, and for both a condition on event:page means entry pages.
[[nodiscard]] Result<std::vector<Answer>> answer(std::span<const Query> queries,
                                                 store::StatsStore& store);
[[nodiscard]] Result<Answer> answer(const Query& query, store::StatsStore& store);

/// Makes rates those of all who could have converted there: of the row's visitors, unless the row
/// is a conversion itself.
void rate_by_row(Query& query);

/// The order that a query without one has: time, then the first metric, most first.
[[nodiscard]] std::vector<OrderKey> default_order(const Query& query);

}  // namespace analytics
