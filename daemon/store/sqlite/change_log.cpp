#include "daemon/store/sqlite/change_log.h"

namespace analytics::sqlite {
namespace {

bool is_journal(Connection& connection) {
  Statement select(connection, "SELECT 1 FROM journal");
  return select.query().next();
}

}  // namespace

ChangeLog::ChangeLog(Connection& connection)
    : connection_(connection),
      add_(connection,
           "INSERT INTO journal_changes(kind, site, event, visit, winner, born)"
           " VALUES(?, ?, ?, ?, ?, ?)"),
      is_on_(is_journal(connection)) {}

void ChangeLog::add(JournalChange kind, SiteId site, MaybeNumber event, MaybeNumber visit,
                    MaybeNumber winner, MaybeNumber born) {
  add_.run(static_cast<int>(kind), site, event, visit, winner, born);
}

void ChangeLog::add_all_visits() {
  connection_.execute(
      "INSERT INTO journal_changes(kind, site, visit) SELECT 1, site, id FROM visits;"
      "INSERT INTO journal_changes(kind, site, visit, winner)"
      " SELECT 3, site, loser, winner FROM visit_merges");
}

void ChangeLog::raise_version() {
  add(JournalChange::kVisit, 0, {}, {});
  Statement take_back(connection_, "DELETE FROM journal_changes WHERE number = ?");
  take_back.run(connection_.last_insert_id());
}

void ChangeLog::forget(std::int64_t last) {
  Statement forget(connection_, "DELETE FROM journal_changes WHERE number <= ?");
  forget.run(last);
}

void ChangeLog::add_visit(SiteId site, VisitId visit) {
  if (is_on_) add(JournalChange::kVisit, site, {}, visit);
}

void ChangeLog::add_end(VisitId visit) {
  if (!is_on_) return;
  Statement select(connection_,
                   "SELECT site, coalesce(born, (started - (started % 86400000 + 86400000)"
                   " % 86400000) / 86400000) FROM visits WHERE id = ?");
  auto rows = select.query(visit);
  if (!rows.next()) return;  // it was merged, or never written
  add(JournalChange::kVisitEnd, rows.int64(0), {}, visit, {}, rows.int64(1));
}

void ChangeLog::add_merge(SiteId site, VisitId loser, VisitId winner) {
  if (!is_on_) return;
  add_end(loser);
  add(JournalChange::kMerge, site, {}, loser, winner);
  // Events name the visit that they were stored with.
  Statement select(connection_, "SELECT loser FROM visit_merges WHERE winner = ?");
  auto rows = select.query(loser);
  while (rows.next()) add(JournalChange::kMerge, site, {}, rows.int64(0), winner);
}

void ChangeLog::add_event_move(EventId event, std::optional<VisitId> visit) {
  if (!is_on_) return;
  Statement select(connection_, "SELECT site FROM events WHERE id = ?");
  auto rows = select.query(event);
  if (rows.next()) add(JournalChange::kEventMove, rows.int64(0), event, visit.value_or(0));
}

void ChangeLog::add_event_gone(SiteId site, EventId event) {
  if (is_on_) add(JournalChange::kEventGone, site, event, {});
}

void ChangeLog::add_site_gone(SiteId site, EventId newest) {
  if (is_on_) add(JournalChange::kSiteGone, site, newest, {});
}

}  // namespace analytics::sqlite
