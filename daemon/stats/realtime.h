#pragma once

#include "daemon/model/query.h"

namespace analytics {

/// Returns the query for a site's visitors of the last five minutes.
[[nodiscard]] Query realtime_query(SiteId site, UnixSeconds now);

}  // namespace analytics
