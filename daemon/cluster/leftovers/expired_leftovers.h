#pragma once

#include <span>

#include "common/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"
#include "daemon/store/journal.h"

namespace analytics::cluster {

/// Has the server remove what has expired of these nodes: first events, and in a later call, once
/// they are gone, their visits. A visit that goes over the moment stays whole until its end is
/// before it, too. Several nodes may ask for the same. True if nothing is left of it. Errors: as of
/// ClickHouse.
[[nodiscard]] Result<bool> remove_expired(ClickHouse& server, std::span<const NodeNumber> left,
                                          std::span<const store::JournalExpiry> sites);

}  // namespace analytics::cluster
