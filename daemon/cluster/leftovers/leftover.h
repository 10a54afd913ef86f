#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "daemon/cluster/sql.h"

namespace analytics::cluster {

/// Events in ClickHouse that no journal has any more: all events of a node that has left the
/// cluster, or a running node's events up to id `last`, which the journal may have deleted
/// (forgotten).
struct Leftover {
  NodeNumber node = 0;
  EventId last = INT64_MAX;
};

/// Returns the SQL condition that selects the events of these leftovers. REQUIRES: `leftovers` is
/// not empty.
[[nodiscard]] inline std::string leftovers_sql(std::span<const Leftover> leftovers) {
  std::string any;
  for (const auto& each : leftovers) {
    any += (any.empty() ? "((" : " OR (") + of_node(each.node);
    any += each.last == INT64_MAX ? ")" : " AND id <= " + std::to_string(each.last) + ")";
  }
  return any + ")";
}

}  // namespace analytics::cluster
