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

/// A mark is a row in ClickHouse that says how far a node's events are shipped. Queries read each
/// node's events up to its mark and no further, so that several statements see the same state.
namespace analytics::cluster {

/// A node whose mark is older than this is behind.
inline constexpr std::chrono::seconds kMarkIsFresh{30};
/// Two readings of the server's start time may differ by this much.
inline constexpr std::chrono::seconds kStartsDiffer{5};

struct Mark {
  NodeNumber node = 0;
  std::uint64_t version = 0;  ///< Later marks of the same node have greater versions.
  std::string name{};
  std::string cluster{};  ///< Name of the node's cluster: see Marks.
  EventId event = 0;      ///< Events of the node up to this one are shipped.
  UnixMillis up_to{};     ///< Events stored before this time, by the node's clock, are shipped.
  /// Start time of the server when the node last checked which blocks the server had lost.
  UnixSeconds looked_since{};
  /// The node has carried out and shipped all removals that the registry contained at this time.
  UnixSeconds removed_to{};
  bool has_left = false;  ///< True if the node has left the cluster and ships nothing more.
};

/// A node in the registry.
struct RegisteredNode {
  std::string name;
  NodeNumber number = 0;
};
/// Nodes in the registry. Empty until the registry has been read; until then, the nodes with marks
/// count as all nodes.
using RegisteredNodes = std::vector<RegisteredNode>;

/// The marks of all nodes of a cluster at one moment. Daemons of another cluster, or of no cluster,
/// may ship to the same database and use the same site numbers; so each mark names its cluster.
struct Marks {
  std::vector<Mark> nodes;
  UnixSeconds now{};             ///< When the marks were read, by the server's clock.
  UnixSeconds server_started{};  ///< Start time of the server, by its own clock.
  RegisteredNodes registered{};  ///< Nodes of the cluster in the registry.

  /// Returns the SQL condition that selects the rows of these nodes.
  [[nodiscard]] std::string of_nodes() const;
  /// Returns the numbers of nodes that have left the cluster.
  [[nodiscard]] std::vector<NodeNumber> left() const;
  /// Returns the SQL condition that selects these nodes' events up to their marks.
  [[nodiscard]] std::string of_events() const;
  /// Returns the names of nodes whose newest events may be missing.
  [[nodiscard]] std::vector<std::string> behind() const;
  /// Returns true if, since `earlier` was read, the server may have lost events that those marks
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
  /// Returns, by node name, the mark of each node that has not left; null for a node without a
  /// mark.
  [[nodiscard]] std::map<std::string, const Mark*> present() const;
};

/// Stores a mark. Errors: those of ClickHouse.
[[nodiscard]] Status store_mark(ClickHouse& server, const Mark& mark);
/// Derives the name of a cluster from the secret that its nodes share.
[[nodiscard]] std::string cluster_of(const std::string& secret);
/// Reads the newest mark of each node of a cluster. Errors: those of ClickHouse.
[[nodiscard]] Result<Marks> read_marks(ClickHouse& server, const std::string& cluster);
/// Stores a mark that says that the node of `mark` has left. Errors: those of ClickHouse.
[[nodiscard]] Status leave_mark(ClickHouse& server, Mark mark);
/// Stores marks that say that the cluster's nodes with this name have left. Errors: those of
/// ClickHouse.
[[nodiscard]] Status leave_marks(ClickHouse& server, const std::string& cluster,
                                 const std::string& name);

}  // namespace analytics::cluster
