#include "daemon/cluster/reading/stats_store.h"

#include <map>
#include <tuple>

#include "daemon/cluster/reading/cluster_events.h"
#include "daemon/cluster/reading/site_caveats.h"
#include "daemon/query/executor.h"
#include "daemon/query/funnel.h"

namespace analytics::cluster {
namespace {

/// Bytes that ClickHouse needs to read and send columns, in addition to the memory for a query's
/// groups and visitors.
constexpr std::size_t kMemoryToRead = 268'435'456;

}  // namespace

ClusterStatsStore::ClusterStatsStore(ClickHouseConfig config, std::string cluster,
                                     const Published<RegisteredNodes>& registered,
                                     const Published<query::Limits>& limits, query::Cores& cores)
    : config_(std::move(config)),
      cluster_(std::move(cluster)),
      registered_(registered),
      limits_(limits),
      cores_(cores),
      server_(config_, is_cancelled_) {}

/// Calls `read` with the current marks of the nodes, and with a budget of the current limits. Turns
/// the exceptions that `read` throws into errors.
template <typename Read>
auto ClusterStatsStore::within_limits(const Read& read) {
  const auto limits = limits_.snapshot();
  query::Budget budget(*limits, is_cancelled_, abandoned(), memory());
  return guarded_read([&] {
    const auto marks = marks_of(server_, cluster_, registered_);
    extent_ = {marks.up_to(), marks.behind()};
    const auto memory = limits->memory + kMemoryToRead;
    return read(ReadAccess{config_, {limits->deadline, limits->deadline, memory}, budget}, marks);
  });
}

Status ClusterStatsStore::run(std::span<const Aggregation> aggregations, const Use& use) {
  return within_limits([&](const ReadAccess& access, const Marks& marks) {
    std::map<SiteId, ClusterEvents> sites;  // the results refer to texts of these objects
    // Caveats that were read already, by site and range.
    std::map<std::tuple<SiteId, UnixSeconds, UnixSeconds>, SiteCaveats> caveats;
    std::vector<Found> found;
    for (const auto& aggregation : aggregations) {
      const auto site = aggregation.selection.site;
      auto& events = sites.try_emplace(site, access, EventsOf{site, marks}).first->second;
      found.push_back({query::aggregate(aggregation, events, access.budget, cores_)});
      if (!is_everything(aggregation.selection.view)) continue;  // caveats are about all events
      const auto& range = aggregation.selection.range;
      auto known = caveats.find({site, range.from, range.to});
      if (known == caveats.end()) {
        known = caveats
                    .emplace(std::tuple(site, range.from, range.to),
                             read_caveats(server_, marks, site, range))
                    .first;
      }
      found.back().removal_running = known->second.removal_running;
      found.back().recognition_lost = known->second.recognition_lost;
    }
    use(found);
  });
}

Result<ClusterStatsStore::FoundFunnel> ClusterStatsStore::funnel(const FunnelQuery& query) {
  return within_limits([&](const ReadAccess& access, const Marks& marks) {
    const auto& selection = query.selection;
    ClusterEvents events(access, {selection.site, marks});
    FoundFunnel found{query::count_funnel(query, events, access.budget, cores_)};
    if (!is_everything(selection.view)) return found;  // caveats are about all events
    auto caveats = read_caveats(server_, marks, selection.site, selection.range);
    found.removal_running = caveats.removal_running;
    found.recognition_lost = std::move(caveats.recognition_lost);
    return found;
  });
}

}  // namespace analytics::cluster
