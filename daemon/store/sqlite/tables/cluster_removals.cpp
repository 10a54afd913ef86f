#include "daemon/store/sqlite/tables/cluster_removals.h"

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/tables/selection_columns.h"

namespace analytics::sqlite {

void ClusterRemovals::add(const store::SharedRemoval& removal, EventId forgotten) {
  Statement insert(connection_, "INSERT INTO cluster_removals(" + std::string(kSelectionColumns) +
                                    ", at, forgotten) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)");
  run_with_selection(insert, removal.what, seconds(removal.at), forgotten);
}

void ClusterRemovals::add_damaged(std::int64_t removal, std::span<const store::NodeVisit> visits) {
  Statement insert(connection_,
                   "INSERT OR IGNORE INTO cluster_removal_visits(removal, node, visit)"
                   " VALUES(?, ?, ?)");
  for (const auto& visit : visits) {
    insert.run(removal, std::int64_t{visit.node}, static_cast<std::int64_t>(visit.visit));
  }
}

void ClusterRemovals::forget_damaged(std::int64_t removal) {
  Statement forget(connection_, "DELETE FROM cluster_removal_visits WHERE removal = ?");
  forget.run(removal);
}

void ClusterRemovals::add_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes) {
  Statement insert(connection_,
                   "INSERT OR IGNORE INTO cluster_removal_nodes(removal, node) VALUES(?, ?)");
  for (const auto node : nodes) insert.run(removal, std::int64_t{node});
}

void ClusterRemovals::set_done_here(std::int64_t removal) {
  Statement done(connection_, "UPDATE cluster_removals SET forgotten = 0 WHERE id = ?");
  done.run(removal);
}

void ClusterRemovals::remove(std::int64_t removal) {
  forget_damaged(removal);
  for (const auto* sql : {"DELETE FROM cluster_removal_nodes WHERE removal = ?",
                          "DELETE FROM cluster_removals WHERE id = ?"}) {
    Statement remove(connection_, sql);
    remove.run(removal);
  }
}

void ClusterRemovals::set_all_done_here() {
  connection_.execute("UPDATE cluster_removals SET forgotten = 0");
}

void ClusterRemovals::clear() {
  connection_.execute(
      "DELETE FROM cluster_removals; DELETE FROM cluster_removal_nodes;"
      "DELETE FROM cluster_removal_visits; DELETE FROM cluster_removal_steps");
}

bool ClusterRemovals::has_work_here() {
  Statement select(connection_,
                   "SELECT 1 FROM cluster_removals WHERE forgotten > 0 UNION ALL"
                   " SELECT 1 FROM cluster_removal_visits LIMIT 1");
  return select.query().next();
}

bool ClusterRemovals::has_work_here(SiteId site) {
  Statement select(connection_, "SELECT 1 FROM cluster_removals WHERE forgotten > 0 AND site = ?");
  return select.query(site).next();
}

bool ClusterRemovals::note_step(const store::Revision& revision) {
  Statement insert(connection_, "INSERT OR IGNORE INTO cluster_removal_steps(id) VALUES(?)");
  insert.run(Bytes(revision.id));
  return connection_.changes() > 0;
}

std::vector<store::ClusterRemoval> ClusterRemovals::all() {
  Statement select(connection_, "SELECT " + std::string(kSelectionColumns) +
                                    ", at, id, forgotten, EXISTS(SELECT 1 FROM sealing s WHERE "
                                    "s.site = r.site) FROM cluster_removals r ORDER BY id");
  auto removals = read_all(select.query(), [](const Rows& row) {
    return store::ClusterRemoval{row.int64(11),
                                 {read_selection(row), to_time(row.int64(10))},
                                 row.int64(12),
                                 row.int64(13) != 0};
  });
  Statement nodes(connection_, "SELECT node FROM cluster_removal_nodes WHERE removal = ?");
  Statement visits(connection_, "SELECT node, visit FROM cluster_removal_visits WHERE removal = ?");
  for (auto& removal : removals) {
    removal.nodes = read_all(nodes.query(removal.id), [](const Rows& row) {
      return static_cast<std::uint32_t>(row.int64(0));
    });
    removal.damaged = read_all(visits.query(removal.id), [](const Rows& row) {
      return store::NodeVisit{static_cast<std::uint32_t>(row.int64(0)),
                              static_cast<std::uint64_t>(row.int64(1))};
    });
  }
  return removals;
}

}  // namespace analytics::sqlite
