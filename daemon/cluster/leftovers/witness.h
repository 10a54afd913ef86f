#pragma once

#include "common/run/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"
#include "daemon/query/budget.h"
#include "daemon/store/journal.h"

namespace analytics::cluster {

/// Checks that the cluster has all of these rows of a node, which its journal is about to forget.
/// Errors: kInvalidParameter if it lacks some; as of ClickHouse; kOverloaded if the budget is used
/// up.
[[nodiscard]] Status require_stored(const ClickHouseConfig& config, NodeNumber node,
                                    const store::LeavingRows& rows, query::Budget& budget);

}  // namespace analytics::cluster
