#pragma once

#include <atomic>
#include <functional>

#include "common/run/published.h"
#include "daemon/query/events/budget.h"
#include "daemon/query/events/cores.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/stats_store.h"

namespace analytics::sqlite {

/// Computes sums over the events in a SQLite file: rows, parts and daily totals. Keeps no results
/// between runs.
class SqliteStatsStore final : public store::StatsStore {
 public:
  /// Opens its own connection to the file. `limits` and `cores` must outlive the object. Throws
  /// SqliteError.
  SqliteStatsStore(const std::filesystem::path& file, const Published<query::Limits>& limits,
                   query::Cores& cores)
      : connection_(file, Role::kReader), limits_(limits), cores_(cores) {}

  Status run(std::span<const Aggregation> aggregations, const Use& use) override;
  Result<FoundFunnel> funnel(const FunnelQuery& query) override;
  void cancel() override { cancelled_ = true; }

 private:
  [[nodiscard]] Status within_limits(const std::function<void(query::Budget& budget)>& read);

  Connection connection_;
  const Published<query::Limits>& limits_;
  query::Cores& cores_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace analytics::sqlite
