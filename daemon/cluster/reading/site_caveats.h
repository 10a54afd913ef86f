#pragma once

#include <vector>

#include "common/wire/caveats.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/marks.h"
#include "daemon/model/query.h"

namespace analytics::cluster {

/// Reasons why a site's numbers, computed from all nodes, may be wrong. For the members, see
/// StatsStore::Found.
struct SiteCaveats {
  bool removal_running = false;
  std::vector<Caveats::LostDay> recognition_lost{};
};

/// Reads the caveats for an answer about a site's events in `range`. Ignores removals of nodes
/// that have left the cluster, because these nodes no longer remove anything. Throws ReadFailed.
[[nodiscard]] SiteCaveats read_caveats(ClickHouse& server, const Marks& marks, SiteId site,
                                       const TimeRange& range);

}  // namespace analytics::cluster
