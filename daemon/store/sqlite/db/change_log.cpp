#include "daemon/store/sqlite/db/change_log.h"

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"

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
  if (!rows.next()) return;  // the visit was merged into another, or was never written
  add(JournalChange::kVisitEnd, rows.int64(0), {}, visit, {}, rows.int64(1));
}

void ChangeLog::add_merge(SiteId site, VisitId loser, VisitId winner) {
  if (!is_on_) return;
  add_end(loser);
  add(JournalChange::kMerge, site, {}, loser, winner);
  // Events keep the id of the visit that they were stored with. So a change is also recorded for
  // each visit that was merged into `loser` earlier.
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
  Statement forget(connection_, "DELETE FROM journal_forgotten WHERE site = ?");
  forget.run(site);
}

EventId ChangeLog::settled() {
  Statement select(connection_,
                   "SELECT min(coalesce((SELECT min(first) - 1 FROM journal_blocks), shipped),"
                   " shipped) FROM journal");
  auto rows = select.query();
  return rows.next() ? rows.int64(0) : 0;
}

bool ChangeLog::has_unshipped(SiteId site, const TimeRange& range) {
  // Number of unshipped changes above which the function returns true without a search, which would
  // take too long.
  constexpr std::int64_t kMaxUnshipped = 5'000;
  Statement behind(connection_,
                   "SELECT coalesce((SELECT max(number) FROM journal_changes), 0) - changes"
                   " FROM journal");
  auto count = behind.query();
  if (!count.next() || count.int64(0) > kMaxUnshipped) return true;
  Statement select(connection_,
                   "SELECT 1 FROM journal_changes c JOIN visits v ON v.id = c.visit"
                   " WHERE c.number > (SELECT changes FROM journal) AND c.site = ?"
                   " AND v.started - coalesce(v.active_before, 0) < ?"
                   " AND v.started + v.length + coalesce(v.active_after, 0) >= ? LIMIT 1");
  return select.query(site, 1'000 * seconds(range.to), 1'000 * seconds(range.from)).next();
}

void ChangeLog::note_forgotten(SiteId site, const Forgotten& rows) {
  Statement note(connection_,
                 "INSERT INTO journal_forgotten(site, event, visit, last_time)"
                 " VALUES(?1, ?2, ?3, ?4) ON CONFLICT(site) DO UPDATE SET event = max(event, ?2),"
                 " visit = max(visit, ?3), last_time = max(last_time, ?4)");
  note.run(site, rows.event, rows.visit, seconds(rows.last.value_or(UnixSeconds())));
}

EventId ChangeLog::last_forgotten(SiteId site) {
  Statement select(connection_, "SELECT event FROM journal_forgotten WHERE site = ?");
  auto rows = select.query(site);
  return rows.next() ? rows.int64(0) : 0;
}

void ChangeLog::forget_all() { connection_.execute("DELETE FROM journal_forgotten"); }

Forgotten forgotten(Connection& connection) {
  Statement select(connection,
                   "SELECT coalesce(max(event), 0), coalesce(max(visit), 0), max(last_time)"
                   " FROM journal_forgotten");
  auto rows = select.query();
  if (!rows.next()) return {};
  const auto last = rows.maybe_int64(2);
  return {rows.int64(0), rows.int64(1), last ? std::optional(to_time(*last)) : std::nullopt};
}

std::vector<store::ForgottenOfSite> forgotten_by_site(Connection& connection) {
  Statement select(connection, "SELECT site, event, visit FROM journal_forgotten ORDER BY site");
  return read_all(select.query(), [](const Rows& row) {
    return store::ForgottenOfSite{row.int64(0), row.int64(1), row.int64(2)};
  });
}

}  // namespace analytics::sqlite
