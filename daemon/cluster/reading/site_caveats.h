#pragma once

#include <vector>

#include "common/wire/caveats.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/marks.h"
#include "daemon/model/query.h"

namespace analytics::cluster {

/// Caveats about a site's events on all nodes: see the members of StatsStore::Found.
struct SiteCaveats {
  bool removal_running = false;
  std::vector<Caveats::LostDay> recognition_lost{};
};

/// Reads the caveats that an answer about the site's events in `range` must contain. Ignores
/// removals of nodes that have left the cluster, because they remove nothing any more. Throws
/// ReadFailed.
[[nodiscard]] SiteCaveats read_caveats(ClickHouse& server, const Marks& marks, SiteId site,
                                       const TimeRange& range);

}  // namespace analytics::cluster
