#pragma once

#include <atomic>

#include "common/run/published.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/marks.h"
#include "daemon/query/events/budget.h"
#include "daemon/query/events/cores.h"
#include "daemon/store/stats_store.h"

namespace analytics::cluster {

/// Answers queries about the events of all nodes, which it reads from ClickHouse. The daemon
/// itself evaluates texts, conditions and groups, as for every store. Only plain counts of events
/// are computed by ClickHouse. Keeps nothing from one run to the next.
class ClusterStatsStore final : public store::StatsStore {
 public:
  /// `cluster`: name of the cluster, from cluster_of(). The references must outlive the object.
  ClusterStatsStore(ClickHouseConfig config, std::string cluster,
                    const Published<RegisteredNodes>& registered,
                    const Published<query::Limits>& limits, query::Cores& cores);

  Status run(std::span<const Aggregation> aggregations, const Use& use) override;
  Result<FoundFunnel> funnel(const FunnelQuery& query) override;
  [[nodiscard]] store::Extent extent() const override { return extent_; }
  void forget_extent() override { extent_ = {}; }
  void cancel() override { is_cancelled_ = true; }

 private:
  template <typename Read>
  [[nodiscard]] auto within_limits(const Read& read);

  const ClickHouseConfig config_;
  const std::string cluster_;
  const Published<RegisteredNodes>& registered_;
  const Published<query::Limits>& limits_;
  query::Cores& cores_;
  std::atomic<bool> is_cancelled_{false};
  ClickHouse server_;  ///< Connection that is used only to read marks.
  store::Extent extent_;
};

}  // namespace analytics::cluster
