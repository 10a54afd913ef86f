#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"

/// A mark says how far a node's events are shipped. Queries read each node's events up to its mark
/// and no further, so that several statements see the same state.
namespace analytics::cluster {

/// A node whose mark is older than this is behind.
inline constexpr std::chrono::seconds kMarkIsFresh{30};
/// Two readings of the server's start time may differ by this much.
inline constexpr std::chrono::seconds kStartsDiffer{5};

struct Mark {
  NodeNumber node = 0;
  std::uint64_t version = 0;  ///< Greater in later marks of the node.
  std::string name{};
  std::string cluster{};  ///< Name of the node's cluster: see Marks.
  EventId event = 0;      ///< Events of the node up to this one are shipped.
  UnixMillis up_to{};     ///< Events stored before this time, by the node's clock, are shipped.
  /// The server's start time when the node last checked what the server has lost.
  UnixSeconds looked_since{};
  /// Removals for all nodes that the registry had at this time are carried out and shipped.
  UnixSeconds removed_to{};
  bool has_left = false;  ///< True if the node has left the cluster, and ships no more.
};

/// A node in the registry.
struct RegisteredNode {
  std::string name;
  NodeNumber number = 0;
};
/// Nodes in the registry. While it has not been read the list is empty, and the nodes with marks
/// count as all nodes.
using RegisteredNodes = std::vector<RegisteredNode>;

/// The marks of all nodes of a cluster at one moment. Daemons of no cluster, or of another one, may
/// ship to the same database and use the same site numbers; a mark names its cluster.
struct Marks {
  std::vector<Mark> nodes;
  UnixSeconds now{};             ///< When the marks were read, by the server's clock.
  UnixSeconds server_started{};  ///< Start time of the server, by its own clock.
  RegisteredNodes registered{};  ///< Nodes of the cluster in the registry.

  /// Returns the condition that selects the rows of these nodes.
  [[nodiscard]] std::string of_nodes() const;
  /// Returns the numbers of nodes that have left the cluster.
  [[nodiscard]] std::vector<NodeNumber> left() const;
  /// Returns the condition that selects the nodes' events up to their marks.
  [[nodiscard]] std::string of_events() const;
  /// Returns the names of nodes whose newest events may be missing.
  [[nodiscard]] std::vector<std::string> behind() const;
  /// Returns true if the server may have lost, since `earlier` was read, events that those marks
  /// cover.
  [[nodiscard]] bool may_lack(const Marks& earlier) const;
  /// Returns the oldest `up_to` of the nodes that are not behind; nullopt if all are behind.
  [[nodiscard]] std::optional<UnixMillis> up_to() const;

 private:
  template <typename Value>
  [[nodiscard]] bool is_registered(Value RegisteredNode::*member, const Value& value) const {
    return std::any_of(registered.begin(), registered.end(),
                       [&](const RegisteredNode& node) { return node.*member == value; });
  }
  /// Returns the marks of nodes that have not left, by name; null for a node without a mark.
  [[nodiscard]] std::map<std::string, const Mark*> present() const;
};

/// Stores a mark. Errors: as of ClickHouse.
[[nodiscard]] Status store_mark(ClickHouse& server, const Mark& mark);
/// Returns the name of the cluster whose nodes share this secret.
[[nodiscard]] std::string cluster_of(const std::string& secret);
/// Reads the newest mark of each node of a cluster. Errors: as of ClickHouse.
[[nodiscard]] Result<Marks> read_marks(ClickHouse& server, const std::string& cluster);
/// Stores a mark that says that this mark's node has left. Errors: as of ClickHouse.
[[nodiscard]] Status leave_mark(ClickHouse& server, Mark mark);
/// Stores marks that say that the cluster's nodes with this name have left. Errors: as of
/// ClickHouse.
[[nodiscard]] Status leave_marks(ClickHouse& server, const std::string& cluster,
                                 const std::string& name);

}  // namespace analytics::cluster
