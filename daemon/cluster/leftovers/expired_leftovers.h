#pragma once

#include <span>

#include "common/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"
#include "daemon/store/journal.h"

namespace analytics::cluster {

/// Makes the server remove the expired rows of nodes that have left: first events, and in a later
/// call, once these are gone, visits. A visit is removed only once it ended before the cutoff.
/// Several nodes may ask for the same. True if nothing remains. Errors: as of ClickHouse.
[[nodiscard]] Result<bool> remove_expired(ClickHouse& server, std::span<const NodeNumber> left,
                                          std::span<const store::JournalExpiry> sites);

}  // namespace analytics::cluster
