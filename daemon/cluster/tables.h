#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"

namespace analytics::cluster {

/// Table into which blocks are inserted. It stores nothing: a view, the gate, copies the rows to
/// `events` until their deadline.
inline constexpr char kArrivals[] = "events_in";

/// Creates the database and tables if they are missing, and checks that the tables keep blocks
/// whole. Errors: kInvalidParameter for a table with another engine, such as Distributed, which
/// would split blocks; those of ClickHouse.
[[nodiscard]] Status prepare_tables(ClickHouse& server);

/// Deleted sites, and nodes that have left the cluster. Each remaining node removes the rows of
/// these sites that these nodes had shipped.
struct LeftBehind {
  std::vector<NodeNumber> nodes;
  std::vector<SiteId> sites;
  std::vector<SiteId> restored{};  ///< Sites that were deleted and exist again, in order.
};

/// Maximum number of removals in one statement.
inline constexpr std::size_t kRemovalsAtOnce = 1'000;
/// Returns the SQL condition that selects a node's removed events, and the rows of `left`.
/// REQUIRES: `removals` has 1 to kRemovalsAtOnce elements.
[[nodiscard]] std::string removed_sql(NodeNumber node,
                                      std::span<const store::JournalRemoval> removals,
                                      const LeftBehind& left = {});
/// Makes the server start to remove these events, and all rows of deleted sites. Does not wait.
/// Errors: those of ClickHouse.
[[nodiscard]] Status begin_removals(ClickHouse& server, NodeNumber node,
                                    std::span<const store::JournalRemoval> removals,
                                    const LeftBehind& left = {});

/// Returns how many removals of a node's rows the server has begun but not finished. They are
/// recognised by the text of of_node(). Errors: those of ClickHouse.
[[nodiscard]] Result<std::uint64_t> removals_under_way(ClickHouse& server, NodeNumber node);

/// Waits until the server has carried out all removals of a node's rows. Errors: those of
/// ClickHouse; also kOverloaded if that takes longer than 10 minutes.
[[nodiscard]] Status wait_for_removals(ClickHouse& server, NodeNumber node, const Wait& wait);

}  // namespace analytics::cluster
