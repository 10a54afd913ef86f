// The part of SharedRegistry that begins removals of events on all nodes of a cluster.
#include <algorithm>

#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/registry/shared_registry.h"
#include "daemon/store/sqlite/tables/cluster_removals.h"
#include "daemon/store/sqlite/tables/removal_table.h"

namespace analytics::sqlite {

using store::RegistryStep;

void SharedRegistry::forget_removals() {
  ClusterRemovals(connection_).clear();
  connection_.execute("DELETE FROM meta WHERE name = 'removals_noted_after'");
}

/// Begins the removals among the steps that this store has not begun yet. A removal covers events
/// from before it was requested, however late it arrives here. A removal from before this store
/// joined the cluster covers none of its events, but may still have to be carried out for nodes
/// that have left.
void SharedRegistry::begin_removals(std::span<const RegistryStep> steps) {
  // Older versions did not record which removals they had begun, but began all up to their
  // revision.
  Statement note(connection_,
                 "INSERT OR IGNORE INTO meta(name, value) VALUES('removals_noted_after', ?)");
  note.run(static_cast<std::int64_t>(revision_ ? revision_->number : 0));
  Statement state(connection_,
                  "SELECT coalesce(max(value), 0), (SELECT coalesce(max(id), 0) FROM events),"
                  " EXISTS(SELECT 1 FROM sites WHERE id = ?),"
                  " (SELECT value FROM meta WHERE name = 'removals_noted_after')"
                  " FROM meta WHERE name = 'registry_joined_at'");
  ChangeLog journal(connection_);
  ClusterRemovals for_all(connection_);
  for (const auto& [revision, change] : steps) {
    if (!change.removal) continue;
    auto [what, at] = *change.removal;
    auto rows = state.query(what.site);
    rows.next();
    const bool is_earlier = revision.number <= static_cast<std::uint64_t>(rows.int64(3));
    if (is_earlier || rows.int64(2) == 0 || !for_all.note_step(revision)) continue;
    what.to = std::min(what.to, at + std::chrono::seconds(1));
    const bool is_ours = seconds(at) >= rows.int64(0);
    if (is_ours) (void)RemovalTable(connection_).begin(what, 1, rows.int64(1), at, 0);
    for_all.add({what, at}, is_ours ? journal.last_forgotten(what.site) : 0);
  }
}

}  // namespace analytics::sqlite
