#include "daemon/store/sqlite/stats_store.h"

#include <sqlite3.h>

#include <algorithm>
#include <deque>

#include "daemon/parts/packed.h"
#include "daemon/query/executor.h"
#include "daemon/store/sqlite/event_source.h"
#include "daemon/store/sqlite/removal_table.h"
#include "daemon/store/sqlite/totals_reader.h"

namespace analytics::sqlite {
namespace {

constexpr int kSteps = 10'000;  // of SQLite's virtual machine: well below a millisecond

/// While it lives, a statement that runs when the time is over ends with SQLITE_INTERRUPT.
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

/// Returns the aggregation without events that daily totals stand for while they leave.
Aggregation SqliteStatsStore::of_counted(Aggregation aggregation) {
  auto& range = aggregation.selection.range;
  const auto from = counted_from(connection_, aggregation.selection.site);
  if (from) range.from = std::clamp(*from, range.from, std::max(range.from, range.to));
  return aggregation;
}

Status SqliteStatsStore::run(std::span<const Aggregation> aggregations, const Use& use) {
  query::Budget budget(*limits_.snapshot(), cancelled_);
  try {
    const Interrupter interrupter(connection_, budget);
    const Snapshot snapshot(connection_);
    std::deque<SqliteEvents> events;  // whose texts are those of what is found
    std::deque<TotalsReader> totals;
    std::deque<Aggregation> counted;
    std::vector<Found> found;
    for (const auto& aggregation : aggregations) {
      const auto& groupings = counted.emplace_back(of_counted(aggregation)).groupings;
      const auto& selection = aggregation.selection;
      events.emplace_back(connection_, selection.site, budget);
      found.push_back({query::aggregate(counted.back(), events.back(), budget, cores_)});
      totals.emplace_back(connection_, selection, budget).add_to(found.back(), groupings);
    }
    use(found);
    return {};
  } catch (const query::LimitReached& limit) {
    return fail(ErrorCode::kOverloaded, limit.what());
  } catch (const parts::Damaged& damaged) {
    return fail(ErrorCode::kInternal, std::string("Stored columns are damaged: ") + damaged.what());
  } catch (const SqliteError& error) {
    if (error.code() == SQLITE_INTERRUPT) return fail(ErrorCode::kOverloaded, query::kTimeIsOver);
    return fail(to_error(error));
  }
}

}  // namespace analytics::sqlite
