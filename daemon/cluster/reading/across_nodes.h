#pragma once

#include <cstdint>
#include <map>

#include "daemon/cluster/marks.h"
#include "daemon/cluster/reading/answer_rows.h"
#include "daemon/model/site.h"

namespace analytics::cluster {

/// Counts of a site that are too high because nodes do not coordinate.
struct AcrossNodes {
  /// Visits beyond those that one node would have made of the same events: a visitor changed nodes.
  std::int64_t visits = 0;
  /// Events beyond the first of each idempotency key, within its life: they were repeated on
  /// another node.
  std::int64_t events = 0;
};

/// Returns the sites that have any. Visits that an import names, and those that go over midnight
/// on another node, are not looked for. May take minutes. Throws as AnswerRows.
[[nodiscard]] std::map<SiteId, AcrossNodes> count_across_nodes(const ReadAccess& access,
                                                               const Marks& marks);

}  // namespace analytics::cluster
