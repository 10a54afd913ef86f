#pragma once

#include "daemon/model/query.h"

namespace analytics {

/// A visitor whose last event is at most this old counts as being on the site now.
inline constexpr std::chrono::minutes kRealtime{5};

/// Returns a query for the number of visitors who are on the site now.
[[nodiscard]] Query realtime_query(SiteId site, UnixSeconds now);

}  // namespace analytics
