#pragma once

#include <cstdint>
#include <map>

#include "daemon/cluster/marks.h"
#include "daemon/cluster/reading/answer_rows.h"
#include "daemon/model/site.h"

namespace analytics::cluster {

/// By how much the counts of a site are too high because nodes do not coordinate.
struct AcrossNodes {
  /// Additional visits, which a single node would not have counted: the visitor switched nodes.
  std::int64_t visits = 0;
  /// Events that repeat an idempotency key within its lifetime, because a client sent them again to
  /// another node.
  std::int64_t events = 0;
};

/// Returns the sites whose counts are too high. Leaves out visits that an import names, and visits
/// that cross midnight on another node. May take minutes. Throws ReadFailed and LimitReached.
[[nodiscard]] std::map<SiteId, AcrossNodes> count_across_nodes(const ReadAccess& access,
                                                               const Marks& marks);

}  // namespace analytics::cluster
