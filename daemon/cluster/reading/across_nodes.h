#pragma once

#include <cstdint>
#include <map>

#include "daemon/cluster/marks.h"
#include "daemon/cluster/reading/answer_rows.h"
#include "daemon/model/site.h"

namespace analytics::cluster {

/// Numbers of a site's visits and events that are counted too often, because nodes do not
/// coordinate.
struct AcrossNodes {
  /// Visits that are counted in addition because their visitor switched from one node to another.
  /// A single node would have counted one visit.
  std::int64_t visits = 0;
  /// Events that are stored in addition because a client sent them again to another node. They
  /// repeat an idempotency key within its lifetime.
  std::int64_t events = 0;
};

/// Counts the visits and events of each site that are counted too often. Does not notice visits
/// that an import names, nor a visitor who switches nodes over midnight and so gets another id. May
/// take minutes. Throws ReadFailed, and LimitReached if the time or memory of `access` is used up.
[[nodiscard]] std::map<SiteId, AcrossNodes> count_across_nodes(const ReadAccess& access,
                                                               const Marks& marks);

}  // namespace analytics::cluster
