#pragma once

#include <vector>

#include "common/wire/caveats.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/marks.h"
#include "daemon/model/query.h"

namespace analytics::cluster {

/// What is known of a site's events on all nodes: see StatsStore::Found.
struct SiteCaveats {
  bool removal_running = false;
  std::vector<Caveats::LostDay> recognition_lost{};
};

/// Reads what an answer about the site's events in `range` must say. A node that has left removes
/// nothing any more. Throws ReadFailed.
[[nodiscard]] SiteCaveats read_caveats(ClickHouse& server, const Marks& marks, SiteId site,
                                       const TimeRange& range);

}  // namespace analytics::cluster
