#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "daemon/store/journal.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Owns the tables cluster_removals, cluster_removal_nodes, cluster_removal_visits and
/// cluster_removal_steps: see ClusterRemoval. Functions that change them are used inside the
/// writer's transactions. Throws SqliteError.
class ClusterRemovals {
 public:
  /// `connection` must outlive this object.
  explicit ClusterRemovals(Connection& connection) : connection_(connection) {}

  /// Adds a removal. `forgotten`: see ClusterRemoval.
  void add(const store::SharedRemoval& removal, EventId forgotten);
  void add_damaged(std::int64_t removal, std::span<const store::NodeVisit> visits);
  void forget_damaged(std::int64_t removal);
  void add_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes);
  /// Records that the removal is complete for the events that this store had forgotten.
  void set_done_here(std::int64_t removal);
  void remove(std::int64_t removal);
  /// Marks all removals as done here, because this store, like a new node, has forgotten nothing.
  void set_all_done_here();
  void clear();
  /// Returns true if forgotten events remain to be removed, or damaged visits to be rebuilt.
  [[nodiscard]] bool has_work_here();
  /// Returns true if forgotten events of the site remain to be removed.
  [[nodiscard]] bool has_work_here(SiteId site);
  /// Records that the removal of a step has begun here. Returns false if it had begun before.
  [[nodiscard]] bool note_step(const store::Revision& revision);
  /// Returns all removals, the oldest first.
  [[nodiscard]] std::vector<store::ClusterRemoval> all();

 private:
  Connection& connection_;
};

}  // namespace analytics::sqlite
