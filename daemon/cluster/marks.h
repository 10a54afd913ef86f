#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/time.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"

/// A mark says how far a node's events are shipped. Queries read each node's events up to its mark
/// and no further, so that several statements see one moment.
namespace analytics::cluster {

/// A node whose mark is older is behind.
inline constexpr std::chrono::seconds kMarkIsFresh{30};
/// Two readings of the server's start time may differ by this much.
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
  bool has_left = false;  ///< The node has left the cluster, and ships no more.
};

/// A node as the registry knows it.
struct RegisteredNode {
  std::string name;
  NodeNumber number = 0;
};
/// Empty while the registry has not been read: then those that have marks are taken for all.
using RegisteredNodes = std::vector<RegisteredNode>;

/// The marks of all nodes of a cluster at one moment. Daemons of no cluster, or of another one, may
/// ship to the same database and use the same site numbers; a mark names its cluster.
struct Marks {
  std::vector<Mark> nodes;
  UnixSeconds now{};             ///< By the server's clock.
  UnixSeconds server_started{};  ///< By the same.
  RegisteredNodes registered{};  ///< The nodes that the cluster has.

  /// The condition that selects the nodes' rows.
  [[nodiscard]] std::string of_nodes() const;
  /// The numbers of nodes that have left.
  [[nodiscard]] std::vector<NodeNumber> left() const;
  /// The condition that selects their events up to the marks.
  [[nodiscard]] std::string of_events() const;
  /// The names of nodes whose newest events may be missing.
  [[nodiscard]] std::vector<std::string> behind() const;
  /// True if the server may have lost, since these earlier marks, something that they say is there.
  [[nodiscard]] bool may_lack(const Marks& earlier) const;
  /// The oldest `up_to` of the nodes that are not behind; nullopt if all are.
  [[nodiscard]] std::optional<UnixMillis> up_to() const;

 private:
  template <typename Value>
  [[nodiscard]] bool is_registered(Value RegisteredNode::*member, const Value& value) const {
    return std::any_of(registered.begin(), registered.end(),
                       [&](const RegisteredNode& node) { return node.*member == value; });
  }
  /// The marks of nodes that have not left, by name; null for a node that has none.
  [[nodiscard]] std::map<std::string, const Mark*> present() const;
};

/// Stores a mark. Errors: as of ClickHouse.
[[nodiscard]] Status store_mark(ClickHouse& server, const Mark& mark);
/// Returns the name of the cluster whose nodes have that secret in common.
[[nodiscard]] std::string cluster_of(const std::string& secret);
/// Errors: as of ClickHouse.
[[nodiscard]] Result<Marks> read_marks(ClickHouse& server, const std::string& cluster);
/// Records that the node of the mark has left. Errors: as of ClickHouse.
[[nodiscard]] Status leave_mark(ClickHouse& server, Mark mark);
/// Records that the cluster's nodes of that name have left. Errors: as of ClickHouse.
[[nodiscard]] Status leave_marks(ClickHouse& server, const std::string& cluster,
                                 const std::string& name);

}  // namespace analytics::cluster
