#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/time.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"

/// How far each node's events have come into a cluster. Who reads goes by that: of each node all
/// events up to its mark, and no later one, so that what is read in several statements is of one
/// moment.
namespace analytics::cluster {

/// A node whose mark is older is behind.
inline constexpr std::chrono::seconds kMarkIsFresh{30};
/// By so much two looks at the server's start may differ.
inline constexpr std::chrono::seconds kStartsDiffer{5};

struct Mark {
  NodeNumber node = 0;
  std::uint64_t version = 0;  ///< Later marks of the node have greater ones.
  std::string name{};
  std::string cluster{};  ///< Of which nodes it is one: see Marks.
  EventId event = 0;      ///< All events of the node up to this one are there.
  UnixMillis up_to{};     ///< All that were stored before are, by the node's clock.
  /// When the server had started, as the node knew when it last looked what the server has lost.
  UnixSeconds looked_since{};
  /// Removals for all nodes that the registry had by then are carried out and shipped.
  UnixSeconds removed_to{};
  bool has_left = false;  ///< Nothing comes from it any more.
};

/// The marks of all nodes of a cluster at one moment. Others may ship to the same database, and
/// give their sites the same numbers: nodes of one cluster know each other by what their marks say
/// of it.
struct Marks {
  std::vector<Mark> nodes;
  UnixSeconds now{};             ///< By the server's clock.
  UnixSeconds server_started{};  ///< By the same.

  /// The condition that selects the nodes' rows.
  [[nodiscard]] std::string of_nodes() const;
  /// The numbers of nodes from which nothing comes any more.
  [[nodiscard]] std::vector<NodeNumber> left() const;
  /// The condition that selects their events up to the marks.
  [[nodiscard]] std::string of_events() const;
  /// The names of nodes whose newest events may be missing.
  [[nodiscard]] std::vector<std::string> behind() const;
  /// All that was stored before on the other nodes is there; none if there is no other.
  [[nodiscard]] std::optional<UnixMillis> up_to() const;
};

/// Stores a mark. Errors: as of ClickHouse.
[[nodiscard]] Status store_mark(ClickHouse& server, const Mark& mark);
/// Returns the name of the cluster whose nodes have that secret in common.
[[nodiscard]] std::string cluster_of(const std::string& secret);
/// Errors: as of ClickHouse.
[[nodiscard]] Result<Marks> read_marks(ClickHouse& server, const std::string& cluster);
/// Notes that nothing comes any more from the node that has stored the mark. Errors: as of
/// ClickHouse.
[[nodiscard]] Status leave_mark(ClickHouse& server, Mark mark);
/// Notes that nothing comes any more from the cluster's nodes of that name. Errors: as of
/// ClickHouse.
[[nodiscard]] Status leave_marks(ClickHouse& server, const std::string& cluster,
                                 const std::string& name);

}  // namespace analytics::cluster
