#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

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

/// Deleted sites, and nodes that have left: nobody else removes what these had shipped of them.
struct LeftBehind {
  std::vector<NodeNumber> nodes;
  std::vector<SiteId> sites;
};

/// So many removals fit into a statement.
inline constexpr std::size_t kRemovalsAtOnce = 1'000;
/// Returns the condition that selects a node's events that were removed, and what is left behind.
/// REQUIRES: there are removals, and no more than kRemovalsAtOnce.
[[nodiscard]] std::string condition_of(NodeNumber node,
                                       std::span<const store::JournalRemoval> removals,
                                       const LeftBehind& left = {});
/// Has the server begin to remove these events, and all rows of sites that are deleted.
/// Errors: as of ClickHouse.
[[nodiscard]] Status begin_removals(ClickHouse& server, NodeNumber node,
                                    std::span<const store::JournalRemoval> removals,
                                    const LeftBehind& left = {});

/// Returns how many removals of a node's rows the server has begun and not finished. Errors: as of
/// ClickHouse.
[[nodiscard]] Result<std::uint64_t> removals_under_way(ClickHouse& server, NodeNumber node);

/// Waits until the server has carried them out. Errors: as of ClickHouse; kOverloaded if that takes
/// too long, too.
[[nodiscard]] Status wait_for_removals(ClickHouse& server, NodeNumber node, const Wait& wait);

}  // namespace analytics::cluster
