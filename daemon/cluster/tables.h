#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"

namespace analytics::cluster {

/// Table that blocks are inserted into. It stores nothing: the gate, a materialized view, copies
/// the rows to the table `events` until the block's deadline.
inline constexpr char kArrivals[] = "events_in";

/// Creates the database and tables if they are missing, and checks that the tables keep blocks
/// whole. Errors: kInvalidParameter for a table with another engine, such as Distributed, which
/// would split blocks; those of ClickHouse.
///
/// The columns are in rows.h. Each node writes rows under its own number, and removes only these
/// and the rows of nodes that have left. If a table has versions, the row with the highest version
/// counts.
///
/// - `events`: an event in a row, and a marker for each block. Grows with every event; rows leave
///   when they are removed or expire. A visitor is an id that cannot be traced back once the salt
///   of the day is destroyed.
/// - `visits`: the state of a visit, with versions. A visit that no longer exists keeps a row with
///   `gone`.
/// - `visit_moves`: events that belong to another visit than the one they were stored with.
/// - `sites`: a row per node and site, with the times of the site's first and last event there.
/// - `drops`: counts of dropped events by reason and hour.
/// - `late_events`: counts of events that arrived after their day's visitors could no longer be
///   recognised.
/// - `removals`: sites whose events a node is removing.
/// - `marks`: how far each node has shipped its events.
[[nodiscard]] Status prepare_tables(ClickHouse& server);

/// Deleted sites, and nodes that have left the cluster. Every remaining node removes the rows of
/// these sites that these nodes had shipped.
struct LeftBehind {
  std::vector<NodeNumber> nodes;
  std::vector<SiteId> sites;
  /// Ids of deleted sites that a restored registry contains again, ascending.
  std::vector<SiteId> restored{};
};

/// Maximum number of removals in one statement.
inline constexpr std::size_t kRemovalsAtOnce = 1'000;
/// Returns the SQL condition that selects a node's removed events, and the rows that `left`
/// describes. REQUIRES: `removals` has 1 to kRemovalsAtOnce elements.
[[nodiscard]] std::string removed_sql(NodeNumber node,
                                      std::span<const store::JournalRemoval> removals,
                                      const LeftBehind& left = {});
/// Makes ClickHouse begin to remove the events of `removals`, and all rows of deleted sites. Does
/// not wait until they are gone. Errors: those of ClickHouse.
[[nodiscard]] Status begin_removals(ClickHouse& server, NodeNumber node,
                                    std::span<const store::JournalRemoval> removals,
                                    const LeftBehind& left = {});

/// Returns how many statements that remove a node's rows ClickHouse has begun but not finished.
/// They are recognised by the text of of_node(). Errors: those of ClickHouse.
[[nodiscard]] Result<std::uint64_t> removals_under_way(ClickHouse& server, NodeNumber node);

/// Waits until ClickHouse has carried out all removals of a node's rows. Errors: those of
/// ClickHouse; also kOverloaded if that takes longer than 10 minutes.
[[nodiscard]] Status wait_for_removals(ClickHouse& server, NodeNumber node, const Wait& wait);

}  // namespace analytics::cluster
