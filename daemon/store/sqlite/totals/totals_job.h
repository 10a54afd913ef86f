#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/model/goal.h"
#include "daemon/query/events/cores.h"
#include "daemon/store/sqlite/db/job_worker.h"
#include "daemon/store/sqlite/tables/totals_table.h"
#include "daemon/totals/day_totals.h"

namespace analytics::sqlite {

/// Totals of some days by one dimension, or the overlaps of each of these days with the day before
/// (see totals::kOverlap).
struct TotalsOfDays {
  /// `prefix`: put before the stored name of the dimension; totals::kOverlap for overlaps, else
  /// empty.
  TotalsOfDays(const std::optional<Dimension>& by, StringKind kind_of_values,
               std::string_view prefix = {});
  /// Adds the sums of a day. `sums`: by the id of the dimension's value.
  void put(Days day, const std::map<std::uint32_t, DaySums>& sums);

  std::string dimension;  ///< Prefix and stored name of the dimension.
  StringKind kind;        ///< Kind of the values' texts: see kind_of_totals().
  /// Texts of the values: the values in `days` are indexes into this list, whose first text is
  /// empty. If the list is empty, they are ids of texts of the kind `kind`.
  std::vector<std::string> texts{};
  std::map<Days, std::vector<totals::ValueSums>> days{};
};

/// Makes the daily totals of a site's events, by every dimension except time, and the overlaps of
/// neighbouring days: see totals::kOverlap. The last overlap is that of the last day with the day
/// after it, whose events stay.
class TotalsJob final : public Job<TotalsOfDays> {
 public:
  /// `days` are days of the time zone `zone`.
  TotalsJob(SiteId site, const DaySpan& days, std::string zone, std::vector<Goal> goals)
      : site_(site), days_(days), zone_(std::move(zone)), goals_(std::move(goals)) {}
  void run(Connection& connection, JobSink<TotalsOfDays>& sink) override;

 private:
  using Sink = JobSink<TotalsOfDays>;
  using MaybeDimension = std::optional<Dimension>;
  using Take = std::function<void(TotalsOfDays)>;
  [[nodiscard]] std::vector<Dimension> dimensions_of(Connection& connection, const Sink& sink,
                                                     const DaySpan& days);
  void count(Connection& connection, const Sink& sink, const DaySpan& days,
             const MaybeDimension& by, const Take& take);
  enum class What { kTotals, kTotalsAndOverlaps };
  [[nodiscard]] std::vector<TotalsOfDays> count_at_once(Connection& connection,
                                                        query::Budget budget, const DaySpan& days,
                                                        const MaybeDimension& by, What what);

  const SiteId site_;
  const DaySpan days_;
  const std::string zone_;
  const std::vector<Goal> goals_;
  query::Cores cores_{1};
};

}  // namespace analytics::sqlite
