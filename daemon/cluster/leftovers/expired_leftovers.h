#pragma once

#include <span>

#include "common/run/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"
#include "daemon/store/journal.h"

namespace analytics::cluster {

/// Makes the server remove the expired rows of nodes that have left: first events, and in a later
/// call, after these are gone, visits. Removes only visits that ended before the cutoff. Several
/// nodes may do so at once. Returns true if nothing remains. Errors: as of ClickHouse.
[[nodiscard]] Result<bool> remove_expired(ClickHouse& server, std::span<const NodeNumber> left,
                                          std::span<const store::JournalExpiry> sites);

}  // namespace analytics::cluster
