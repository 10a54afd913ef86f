#pragma once

#include <span>

#include "common/run/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"
#include "daemon/store/journal_rows.h"

namespace analytics::cluster {

/// Makes ClickHouse remove the expired rows of the nodes `left`: nodes that have left the cluster,
/// or this node if its journal has deleted (forgotten) rows because ClickHouse has them. First
/// removes events. A later call, when the events are gone, removes visits that ended before the
/// site's cutoff. Several nodes may call this function at once. Returns true if nothing is left to
/// remove. Errors: those of ClickHouse.
[[nodiscard]] Result<bool> remove_expired(ClickHouse& server, std::span<const NodeNumber> left,
                                          std::span<const store::JournalExpiry> sites);

}  // namespace analytics::cluster
