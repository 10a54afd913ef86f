#pragma once

#include "common/run/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"
#include "daemon/query/events/budget.h"
#include "daemon/store/journal_rows.h"

namespace analytics::cluster {

/// Checks that ClickHouse has all of these rows of a node, because the node's journal is about to
/// delete (forget) them. Errors: kInvalidParameter if some rows are missing or differ; those of
/// ClickHouse; kOverloaded if the budget is used up.
[[nodiscard]] Status require_stored(const ClickHouseConfig& config, NodeNumber node,
                                    const store::LeavingRows& rows, query::Budget& budget);

}  // namespace analytics::cluster
