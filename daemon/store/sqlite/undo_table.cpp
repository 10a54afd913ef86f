#include "daemon/store/sqlite/undo_table.h"

namespace analytics::sqlite {

bool UndoTable::begin(SiteId site, const std::string& name) {
  Statement begin(connection_,
                  "INSERT INTO undos(import, site, name, created_at, events, next_event,"
                  " last_event) SELECT id, site, name, created_at, events, first_event,"
                  " (SELECT coalesce(max(id), 0) FROM events) FROM imports"
                  " WHERE site = ? AND name = ?");
  begin.run(site, name);
  return connection_.changes() > 0;
}

bool UndoTable::has(SiteId site, const std::string& name) {
  Statement select(connection_, "SELECT 1 FROM undos WHERE site = ? AND name = ?");
  return select.query(site, name).next();
}

std::optional<UndoTable::Undo> UndoTable::next() {
  Statement select(connection_,
                   "SELECT import, site, next_event, last_event, earliest FROM undos"
                   " ORDER BY import LIMIT 1");
  auto rows = select.query();
  if (!rows.next()) return std::nullopt;
  return Undo{rows.int64(0), rows.int64(1), rows.int64(2), rows.int64(3), rows.maybe_int64(4)};
}

void UndoTable::advance(const Undo& undo, std::int64_t removed) {
  Statement move(connection_,
                 "UPDATE undos SET next_event = ?, events = max(0, events - ?), earliest = ?"
                 " WHERE import = ?");
  move.run(undo.next, removed, undo.earliest, undo.import);
}

void UndoTable::finish(ImportId import) {
  Statement remove(connection_, "DELETE FROM undos WHERE import = ?");
  remove.run(import);
}

void UndoTable::forget_site(SiteId site) {
  Statement visits(connection_,
                   "DELETE FROM undo_visits WHERE import IN (SELECT import FROM undos"
                   " WHERE site = ?)");
  visits.run(site);
  Statement undos(connection_, "DELETE FROM undos WHERE site = ?");
  undos.run(site);
}

void UndoTable::add_damaged(ImportId import, VisitId visit) {
  Statement insert(connection_, "INSERT OR IGNORE INTO undo_visits(import, visit) VALUES(?, ?)");
  insert.run(import, visit);
}

void UndoTable::follow_merges(ImportId import) {
  Statement merged(connection_,
                   "UPDATE OR REPLACE undo_visits SET visit ="
                   " (SELECT winner FROM visit_merges WHERE loser = visit) WHERE import = ?"
                   " AND visit IN (SELECT loser FROM visit_merges)");
  merged.run(import);
}

std::vector<std::pair<VisitId, std::int64_t>> UndoTable::damaged(ImportId import,
                                                                 std::int64_t most) {
  Statement select(connection_,
                   "SELECT u.visit, coalesce(v.events, 0) FROM undo_visits u"
                   " LEFT JOIN visits v ON v.id = u.visit WHERE u.import = ? LIMIT ?");
  std::vector<std::pair<VisitId, std::int64_t>> visits;
  auto rows = select.query(import, most);
  while (rows.next()) visits.emplace_back(rows.int64(0), rows.int64(1));
  return visits;
}

void UndoTable::remove_damaged(ImportId import, VisitId visit) {
  Statement remove(connection_, "DELETE FROM undo_visits WHERE import = ? AND visit = ?");
  remove.run(import, visit);
}

}  // namespace analytics::sqlite
