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

  /// Adds a removal. `forgotten`: newest event that this store had forgotten when the removal
  /// arrived; see store::ClusterRemoval.
  void add(const store::SharedRemoval& removal, EventId forgotten);
  /// Records visits that may have lost events to the removal and must be rebuilt.
  void add_damaged(std::int64_t removal, std::span<const store::NodeVisit> visits);
  /// Deletes the removal's damaged visits, because they have been rebuilt.
  void forget_damaged(std::int64_t removal);
  /// Records departed nodes whose selected events were all removed.
  void add_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes);
  /// Records that the removal is complete for the events that this store had forgotten.
  void set_done_here(std::int64_t removal);
  /// Deletes a removal that all nodes have completed.
  void remove(std::int64_t removal);
  /// Does what set_done_here() does, for all removals. Called when the store leaves its cluster:
  /// like a new node, it has forgotten nothing.
  void set_all_done_here();
  /// Deletes all removals and all records of begun ones.
  void clear();
  /// Returns true if events that this store had forgotten remain to be removed, or damaged visits
  /// to be rebuilt.
  [[nodiscard]] bool has_work_here();
  /// Returns true if events of the site that this store had forgotten remain to be removed.
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
