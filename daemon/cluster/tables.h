#pragma once

#include "common/result.h"
#include "daemon/cluster/clickhouse.h"

namespace analytics::cluster {

/// Makes the database and the tables that are missing, and sees that those that are there keep
/// blocks whole. Errors: kInvalidParameter for a table of another engine, such as Distributed,
/// which would take blocks apart; as of ClickHouse.
[[nodiscard]] Status prepare_tables(ClickHouse& server);

}  // namespace analytics::cluster
