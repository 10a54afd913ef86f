#pragma once

#include <array>
#include <string>

#include "common/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"

namespace analytics::cluster {

/// Where blocks of events are sent: a table that keeps nothing. A gate passes on what comes in
/// time. Both have the number of their columns' version: who makes new ones need not be allowed to
/// remove those that nodes of an earlier version still use.
inline constexpr char kArrivals[] = "events_in_2";

/// Makes the database and the tables that are missing, and sees that those that are there keep
/// blocks whole. Errors: kInvalidParameter for a table of another engine, such as Distributed,
/// which would take blocks apart; as of ClickHouse.
[[nodiscard]] Status prepare_tables(ClickHouse& server);

/// Returns the condition that selects the rows of events that were removed, of one node.
[[nodiscard]] std::string condition_of(const store::JournalRemoval& removal);
/// The tables that have rows of a site, beside events.
inline constexpr std::array<const char*, 4> kTablesOfSite = {"visits", "visit_moves", "sites",
                                                             "drops"};

/// Returns how many removals of a node's rows the server has begun and not finished. Errors: as of
/// ClickHouse.
[[nodiscard]] Result<std::uint64_t> removals_under_way(ClickHouse& server, NodeNumber node);

}  // namespace analytics::cluster
