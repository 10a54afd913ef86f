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

/// The tables, whose columns are in rows.h. Each node writes rows under its own number, and removes
/// only these and the rows of nodes that have left. If a table has versions, the row with the
/// highest version counts.
///
/// - `events`: an event in a row, and a marker for each block. Grows with every event; rows leave
///   when they are removed or expire. Visitors: an id that cannot be traced back once the salt of
///   the day is destroyed.
/// - `visits`: the state of a visit, with versions. A visit that no longer exists keeps a row
///   with `gone`.
/// - `visit_moves`: events that belong to another visit than the one they were stored with.
/// - `sites`: a row per node and site, which says how old and new the node's events are.
/// - `drops`: received events by outcome and hour. `late_events`: see Caveats::recognition_lost.
/// - `removals`: which sites a node is removing events of. `marks`: how far each node has shipped.
///
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
