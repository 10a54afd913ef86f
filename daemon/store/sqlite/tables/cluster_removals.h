#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "daemon/store/journal_rows.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Stores the removals that all nodes of a cluster carry out (see store::ClusterRemoval) and their
/// progress. Owns the tables cluster_removals, cluster_removal_nodes, cluster_removal_visits and
/// cluster_removal_steps. Functions that change them are called inside the writer's transactions.
/// Throws SqliteError.
class ClusterRemovals {
 public:
  /// `connection` must outlive this object.
  explicit ClusterRemovals(Connection& connection) : connection_(connection) {}

  /// Adds a removal. `forgotten`: newest event whose row this store had deleted, because the
  /// cluster has it, when the removal arrived; see store::ClusterRemoval.
  void add(const store::SharedRemoval& removal, EventId forgotten);
  /// Records visits that may have lost events to the removal and must be rebuilt.
  void add_damaged(std::int64_t removal, std::span<const store::NodeVisit> visits);
  /// Deletes the record of the visits that lost events to the removal, because these visits have
  /// been rebuilt.
  void forget_damaged(std::int64_t removal);
  /// Records nodes that have left the cluster and whose selected events were all removed.
  void add_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes);
  /// Records that the removal is complete for the events whose rows this store had deleted because
  /// the cluster has them.
  void set_done_here(std::int64_t removal);
  /// Deletes a removal that all nodes have completed.
  void remove(std::int64_t removal);
  /// Does what set_done_here() does, for all removals. Called when the store leaves its cluster,
  /// because it is then like the store of a new node, which has deleted no rows.
  void set_all_done_here();
  /// Deletes all removals, and the records of those that this store has begun.
  void clear();
  /// Returns true if a removal must still be carried out for events that only the cluster has
  /// because this store had deleted their rows, or if visits that lost events must still be
  /// rebuilt.
  [[nodiscard]] bool has_work_here();
  /// Returns true if a removal must still be carried out for events of the site that only the
  /// cluster has because this store had deleted their rows.
  [[nodiscard]] bool has_work_here(SiteId site);
  /// Records that this store has begun the removal of the registry change with this revision.
  /// Returns false if it had begun it before.
  [[nodiscard]] bool note_step(const store::Revision& revision);
  /// Returns all removals, the oldest first.
  [[nodiscard]] std::vector<store::ClusterRemoval> all();

 private:
  Connection& connection_;
};

}  // namespace analytics::sqlite
