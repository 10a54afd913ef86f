#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "daemon/store/journal.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// The tables cluster_removals, cluster_removal_nodes, cluster_removal_visits and
/// cluster_removal_steps: see ClusterRemoval. What changes them is used inside the writer's
/// transactions; throws SqliteError.
class ClusterRemovals {
 public:
  /// `connection` must outlive this object.
  explicit ClusterRemovals(Connection& connection) : connection_(connection) {}

  /// `forgotten`: see ClusterRemoval.
  void add(const store::SharedRemoval& removal, EventId forgotten);
  void add_damaged(std::int64_t removal, std::span<const store::NodeVisit> visits);
  void forget_damaged(std::int64_t removal);
  void add_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes);
  /// Nothing is left of what this store had forgotten.
  void set_done_here(std::int64_t removal);
  void remove(std::int64_t removal);
  /// This store has forgotten nothing, as a new node.
  void set_all_done_here();
  void clear();
  /// True if events that were forgotten are about to leave, or visits may be wrong.
  [[nodiscard]] bool has_work_here();
  /// True if events of the site that were forgotten are about to leave.
  [[nodiscard]] bool has_work_here(SiteId site);
  /// Notes that the removal of a step has begun here. False if it had.
  [[nodiscard]] bool note_step(const store::Revision& revision);
  /// The oldest first.
  [[nodiscard]] std::vector<store::ClusterRemoval> all();

 private:
  Connection& connection_;
};

}  // namespace analytics::sqlite
