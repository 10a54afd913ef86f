#pragma once

#include <string>

#include "daemon/cluster/marks.h"
#include "daemon/cluster/sql.h"
#include "daemon/model/query.h"

namespace analytics::cluster {

/// Returns the SQL condition that selects a site's events in a range, up to the nodes' marks.
[[nodiscard]] std::string events_of(SiteId site, const TimeRange& range, const Marks& marks);

}  // namespace analytics::cluster
