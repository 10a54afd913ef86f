#include "daemon/store/sqlite/stats_store.h"

#include <sqlite3.h>

#include <algorithm>
#include <deque>

#include "common/io/failpoint.h"
#include "daemon/parts/packed.h"
#include "daemon/query/event_view.h"
#include "daemon/query/executor.h"
#include "daemon/query/funnel.h"
#include "daemon/store/sqlite/reading/event_source.h"
#include "daemon/store/sqlite/tables/late_events.h"
#include "daemon/store/sqlite/tables/removal_table.h"
#include "daemon/store/sqlite/totals/totals_reader.h"

namespace analytics::sqlite {
namespace {

// instructions of SQLite's virtual machine between two checks of the time: less than 1 ms
constexpr int kSteps = 10'000;

/// While it exists, ends running statements with SQLITE_INTERRUPT once the query's time is over.
class Interrupter {
 public:
  /// The arguments must outlive the object.
  Interrupter(Connection& connection, query::Budget& budget) : db_(connection.handle()) {
    const auto is_time_over = [](void* self) {
      return static_cast<const query::Budget*>(self)->is_time_over() ? 1 : 0;
    };
    sqlite3_progress_handler(db_, kSteps, is_time_over, &budget);
  }
  ~Interrupter() { sqlite3_progress_handler(db_, 0, nullptr, nullptr); }
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

 private:
  sqlite3* db_;
};

}  // namespace

/// Runs `read` on a snapshot of the database and within the query's limits. Exceptions become
/// errors.
Status SqliteStatsStore::within_limits(const std::function<void(query::Budget& budget)>& read) {
  query::Budget budget(*limits_.snapshot(), cancelled_, abandoned(), memory());
  try {
    const Interrupter interrupter(connection_, budget);
    const Snapshot snapshot(connection_);
    while (failpoint("endless_query")) budget.check_time();
    read(budget);
    return {};
  } catch (const query::LimitReached& limit) {
    return fail(ErrorCode::kOverloaded, limit.what());
  } catch (const parts::Damaged& damaged) {
    return fail(to_error(damage(std::string("stored columns: ") + damaged.what())));
  } catch (const SqliteError& error) {
    if (error.code() == SQLITE_INTERRUPT) return fail(ErrorCode::kOverloaded, query::kTimeIsOver);
    return fail(to_error(error));
  }
}

Status SqliteStatsStore::run(std::span<const Aggregation> aggregations, const Use& use) {
  return within_limits([&](query::Budget& budget) {
    // The EventSources stay until the end, because the results look up texts in them.
    std::deque<SqliteEvents> events;
    std::deque<TotalsReader> totals;
    std::deque<Selection> wanted;
    std::deque<Aggregation> counted;
    std::vector<Found> found;
    for (const auto& aggregation : aggregations) {
      const auto& selection = wanted.emplace_back(query::with_plain_view(aggregation.selection));
      auto& counts = counted.emplace_back(Aggregation{selection, aggregation.groupings});
      counts.selection.range = counted_range(connection_, selection.site, selection.range);
      using Copies = SqliteEvents::Copies;
      auto& source = events.emplace_back(connection_, selection.site, budget,
                                         selection.engagements ? Copies::kIgnored : Copies::kRead);
      const auto count = [&](const Aggregation& all) {
        return query::aggregate(all, source, budget, cores_);
      };
      found.push_back({count(counts)});
      auto& last = found.back();
      if (is_everything(selection.view)) {
        totals.emplace_back(connection_, selection, source.texts(), budget)
            .add_to(last, aggregation.groupings, counts.selection.range, count);
      }
      // A query with the filter of a shared link does not report totals, late events or removals.
      if (!is_everything(aggregation.selection.view)) {
        last.totals = {};
        continue;
      }
      last.recognition_lost = late_events_of(connection_, selection.site, selection.range);
      last.removal_running = source.are_being_removed();
    }
    use(found);
  });
}

Result<SqliteStatsStore::FoundFunnel> SqliteStatsStore::funnel(const FunnelQuery& query) {
  FoundFunnel found;
  const auto read = [&](query::Budget& budget) {
    auto counted = query;
    auto& selection = counted.selection;
    selection.range = counted_range(connection_, selection.site, selection.range);
    SqliteEvents events(connection_, selection.site, budget);
    found.visitors = query::count_funnel(counted, events, budget, cores_);
    // A query with the filter of a shared link does not report late events or removals.
    if (!is_everything(selection.view)) return;
    found.recognition_lost = late_events_of(connection_, selection.site, query.selection.range);
    found.removal_running = events.are_being_removed();
  };
  TRY(within_limits(read));
  return found;
}

}  // namespace analytics::sqlite
