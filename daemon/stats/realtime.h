#pragma once

#include "daemon/model/query.h"

namespace analytics {

/// Visitors who came within so long are on the site now.
inline constexpr std::chrono::minutes kRealtime{5};

/// Returns the query for a site's visitors who are on it now.
[[nodiscard]] Query realtime_query(SiteId site, UnixSeconds now);

}  // namespace analytics
