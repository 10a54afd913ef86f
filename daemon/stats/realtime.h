#pragma once

#include "daemon/model/query.h"

namespace analytics {

/// Visitors whose last event is no older than this count as being on the site now.
inline constexpr std::chrono::minutes kRealtime{5};

/// Returns a query for the number of visitors who are on the site now.
[[nodiscard]] Query realtime_query(SiteId site, UnixSeconds now);

}  // namespace analytics
