#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"

namespace analytics::cluster {

/// Blocks are inserted into this table, which stores nothing. A view, the gate, copies rows to
/// `events` until their deadline. Both names end with the version of their columns, so that a newer
/// node needs no right to drop those that older nodes use.
inline constexpr char kArrivals[] = "events_in_2";

/// Creates the database, tables and columns that are missing, and checks that the tables keep
/// blocks whole. Errors: kInvalidParameter for a table of another engine, such as Distributed,
/// which would split blocks; as of ClickHouse.
[[nodiscard]] Status prepare_tables(ClickHouse& server);

/// Deleted sites, and nodes that have left: nobody else removes what these had shipped of them.
struct LeftBehind {
  std::vector<NodeNumber> nodes;
  std::vector<SiteId> sites;
  std::vector<SiteId> restored{};  ///< In order: were deleted, and are there again.
};

/// So many removals fit into a statement.
inline constexpr std::size_t kRemovalsAtOnce = 1'000;
/// Returns the condition that selects a node's events that were removed, and what is left behind.
/// REQUIRES: there are removals, and no more than kRemovalsAtOnce.
[[nodiscard]] std::string removed_sql(NodeNumber node,
                                      std::span<const store::JournalRemoval> removals,
                                      const LeftBehind& left = {});
/// Makes the server begin to remove these events, and all rows of deleted sites.
/// Errors: as of ClickHouse.
[[nodiscard]] Status begin_removals(ClickHouse& server, NodeNumber node,
                                    std::span<const store::JournalRemoval> removals,
                                    const LeftBehind& left = {});

/// Returns how many removals of a node's rows the server has begun and not finished, recognised by
/// of_node(). Errors: as of ClickHouse.
[[nodiscard]] Result<std::uint64_t> removals_under_way(ClickHouse& server, NodeNumber node);

/// Waits until the server has carried them out. Errors: as of ClickHouse; kOverloaded if that takes
/// too long, too.
[[nodiscard]] Status wait_for_removals(ClickHouse& server, NodeNumber node, const Wait& wait);

}  // namespace analytics::cluster
