#include "daemon/cluster/reading/stats_store.h"

#include <map>

#include "daemon/cluster/reading/cluster_events.h"
#include "daemon/query/executor.h"
#include "daemon/query/funnel.h"

namespace analytics::cluster {

ClusterStatsStore::ClusterStatsStore(ClickHouseConfig config, std::string cluster,
                                     const Published<query::Limits>& limits, query::Cores& cores)
    : config_(std::move(config)),
      cluster_(std::move(cluster)),
      limits_(limits),
      cores_(cores),
      server_(config_, is_cancelled_) {}

/// Runs `read`, whose exceptions become errors, on one state of the cluster and within the limits.
Status ClusterStatsStore::within_limits(const Read& read) {
  const auto limits = limits_.snapshot();
  query::Budget budget(*limits, is_cancelled_);
  try {
    const auto marks = read_marks(server_, cluster_);
    if (!marks) throw ReadFailed{read_error(marks.error())};
    extent_ = {marks->up_to(), marks->behind()};
    read(budget, *marks);
    return {};
  } catch (const query::LimitReached& limit) {
    return fail(ErrorCode::kOverloaded, limit.what());
  } catch (const ReadFailed& failed) {
    return fail(failed.error);
  }
}

Status ClusterStatsStore::run(std::span<const Aggregation> aggregations, const Use& use) {
  return within_limits([&](query::Budget& budget, const Marks& marks) {
    const ReadAccess access{config_, limits_.snapshot()->deadline, budget};
    std::map<SiteId, ClusterEvents> sites;  // whose texts are those of what is found
    std::vector<Found> found;
    for (const auto& aggregation : aggregations) {
      const auto site = aggregation.selection.site;
      auto& events = sites.try_emplace(site, access, EventsOf{site, marks}).first->second;
      found.push_back({query::aggregate(aggregation, events, budget, cores_)});
    }
    use(found);
  });
}

Result<FunnelVisitors> ClusterStatsStore::funnel(const FunnelQuery& query) {
  FunnelVisitors visitors;
  const auto done = within_limits([&](query::Budget& budget, const Marks& marks) {
    const ReadAccess access{config_, limits_.snapshot()->deadline, budget};
    ClusterEvents events(access, {query.selection.site, marks});
    visitors = query::count_funnel(query, events, budget, cores_);
  });
  if (!done) return fail(done.error());
  return visitors;
}

}  // namespace analytics::cluster
