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

/// Maximum age of a current mark. A node with an older mark is behind: queries report that its
/// newest events may be missing.
inline constexpr std::chrono::seconds kMarkIsFresh{30};
/// Tolerance in a comparison of two start times of ClickHouse. Each is computed from the current
/// time and the uptime, so it is inexact.
inline constexpr std::chrono::seconds kStartsDiffer{5};

/// A node's mark: how far its events are shipped, as stored in ClickHouse.
struct Mark {
  NodeNumber node = 0;
  /// Version of the mark, greater than those of the node's earlier marks.
  std::uint64_t version = 0;
  std::string name{};  ///< Name of the node, as operators see it.
  /// Name of the cluster, from cluster_of(); empty if the node shares no registry.
  std::string cluster{};
  EventId event = 0;  ///< Id up to which all of the node's events are shipped.
  /// Time by the node's clock; all events that were stored before it are shipped.
  UnixMillis up_to{};
  /// ClickHouse's start time, as it was when the node last checked which blocks of events
  /// ClickHouse had lost; 0 if blocks may be missing.
  UnixSeconds looked_since{};
  /// Time up to which the node has carried out the removals of events in the cluster's registry,
  /// both in its journal and in ClickHouse.
  UnixSeconds removed_to{};
  bool has_left = false;  ///< True if the node has left the cluster and ships nothing more.
};

/// A node that is listed in the cluster's registry.
struct RegisteredNode {
  std::string name;
  NodeNumber number = 0;
};
/// All nodes that are listed in the cluster's registry. Empty until the registry has been read;
/// until then, the nodes with marks count as all nodes.
using RegisteredNodes = std::vector<RegisteredNode>;

/// The marks of all nodes of a cluster at one moment. Daemons of another cluster, or of no cluster,
/// may ship to the same database and use the same site numbers; so each mark names its cluster.
struct Marks {
  std::vector<Mark> nodes;
  UnixSeconds now{};             ///< Time at which the marks were read, by ClickHouse's clock.
  UnixSeconds server_started{};  ///< Start time of ClickHouse, by its own clock.
  RegisteredNodes registered{};  ///< Nodes that are listed in the cluster's registry.

  /// Returns the SQL condition that selects the rows of the nodes in `nodes`.
  [[nodiscard]] std::string of_nodes() const;
  /// Returns the numbers of nodes that have left the cluster.
  [[nodiscard]] std::vector<NodeNumber> left() const;
  /// Returns the SQL condition that selects the events of the nodes in `nodes` up to their marks.
  /// For a node that has left, it selects all events.
  [[nodiscard]] std::string of_events() const;
  /// Returns the names of the nodes whose newest events may be missing from answers: nodes without
  /// a mark, with one that is older than kMarkIsFresh, or that have not checked for lost events
  /// since ClickHouse was started.
  [[nodiscard]] std::vector<std::string> behind() const;
  /// Returns true if, since `earlier` was read, ClickHouse may have lost events that the marks in
  /// `earlier` cover.
  [[nodiscard]] bool may_lack(const Marks& earlier) const;
  /// Returns the time up to which answers to queries are complete: the oldest `up_to` of the nodes
  /// that behind() does not name; nullopt if it names all.
  [[nodiscard]] std::optional<UnixMillis> up_to() const;

 private:
  template <typename Value>
  [[nodiscard]] bool is_registered(Value RegisteredNode::*member, const Value& value) const {
    return std::any_of(registered.begin(), registered.end(),
                       [&](const RegisteredNode& node) { return node.*member == value; });
  }
  /// Returns the mark of each node that has not left, by the node's name; null for a node without
  /// a mark.
  [[nodiscard]] std::map<std::string, const Mark*> present() const;
};

/// Stores a node's mark in ClickHouse. Errors: those of ClickHouse.
[[nodiscard]] Status store_mark(ClickHouse& server, const Mark& mark);
/// Derives the name of a cluster from the secret that its nodes share.
[[nodiscard]] std::string cluster_of(const std::string& secret);
/// Reads the newest mark of each node of a cluster. Errors: those of ClickHouse.
[[nodiscard]] Result<Marks> read_marks(ClickHouse& server, const std::string& cluster);
/// Records in ClickHouse that a node has left the cluster. `mark`: the node's newest mark. Errors:
/// those of ClickHouse.
[[nodiscard]] Status leave_mark(ClickHouse& server, Mark mark);
/// Records in ClickHouse that the nodes with this name have left the cluster. Errors: those of
/// ClickHouse.
[[nodiscard]] Status leave_marks(ClickHouse& server, const std::string& cluster,
                                 const std::string& name);

}  // namespace analytics::cluster
