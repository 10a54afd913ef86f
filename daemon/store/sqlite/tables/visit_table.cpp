#include "daemon/store/sqlite/tables/visit_table.h"

#include <algorithm>

#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kDropIndexRows = 5'000;

// SELECT of visits, for read_visit(). The columns entry_delay and exit_lead are mostly 0, which
// takes no space.
constexpr char kSelectVisit[] =
    "SELECT v.id, v.site, v.started, v.length, v.first, v.entry, v.entry_delay, v.exit,"
    " v.exit_lead, v.pageviews, v.events, v.interactive, v.named, coalesce(e.visitor, 0), v.born,"
    " coalesce(v.active_before, 0), coalesce(v.active_after, 0)"
    // The first event may have been removed with an undone import, hence the LEFT JOIN.
    " FROM visits v LEFT JOIN events e ON e.id = v.first ";

std::int64_t count_of(UnixMillis time) { return time.time_since_epoch().count(); }

VisitorDay visitor_day(UnixMillis time, std::int64_t visitor) {
  return {std::chrono::floor<std::chrono::days>(time), static_cast<std::uint64_t>(visitor)};
}

StoredVisit read_visit(const Rows& row) {
  StoredVisit stored;
  auto& visit = stored.visit;
  visit.id = row.int64(0);
  visit.site = row.int64(1);
  const auto started = row.int64(2);
  const auto ended = started + row.int64(3);
  visit.first = {to_unix_millis(started), row.int64(4)};
  visit.ended = to_unix_millis(ended);
  visit.active.from = to_unix_millis(started - row.int64(15));
  visit.active.to = to_unix_millis(ended + row.int64(16));
  if (const auto entry = row.maybe_int64(5)) {
    visit.entry = {to_unix_millis(started + row.int64(6)), *entry};
    visit.exit = {to_unix_millis(ended - row.int64(8)), row.int64(7)};
  }
  visit.pageviews = row.int64(9);
  visit.events = row.int64(10);
  visit.interactive = row.int64(11) != 0;
  visit.named = row.int64(12) != 0;
  stored.visitor = visitor_day(visit.started(), row.int64(13));
  const auto born = row.maybe_int64(14);
  visit.born = born ? to_day(*born) : stored.visitor.day;
  return stored;
}

/// Returns the value, or nullopt for 0, because NULL takes no space.
std::optional<std::int64_t> unless_zero(std::int64_t value) {
  return value == 0 ? std::nullopt : std::optional(value);
}

}  // namespace

VisitTable::VisitTable(Connection& connection, EventTable& events, PartTable& parts,
                       ChangeLog& changes)
    : connection_(connection),
      events_(events),
      parts_(parts),
      changes_(changes),
      write_(connection,
             "INSERT OR REPLACE INTO visits(id, site, started, length, first, entry, entry_delay,"
             " exit, exit_lead, pageviews, events, interactive, named, born,"
             " active_before, active_after) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
      find_(connection, std::string(kSelectVisit) + "WHERE v.id = ?"),
      winner_of_(connection, "SELECT winner FROM visit_merges WHERE loser = ?"),
      losers_of_(connection, "SELECT loser FROM visit_merges WHERE winner = ?"),
      set_marks_(connection,
                 "UPDATE visit_marks SET next = ?, written = ?, indexed = ?, next_event = ?"),
      index_(connection, "INSERT OR IGNORE INTO visit_index(day, visitor, visit) VALUES(?, ?, ?)"),
      visits_of_(connection, "SELECT visit FROM visit_index WHERE day = ? AND visitor = ?"),
      remove_(connection, "DELETE FROM visits WHERE id = ?"),
      remove_merges_(connection, "DELETE FROM visit_merges WHERE winner = ?"),
      remove_index_(connection,
                    "DELETE FROM visit_index WHERE day = ? AND visitor = ? AND visit = ?") {}

VisitMarks VisitTable::marks() {
  Statement select(connection_, "SELECT next, written, indexed, next_event FROM visit_marks");
  auto rows = select.query();
  if (!rows.next()) return {};
  return {rows.int64(0), rows.int64(1), rows.int64(2),
          std::max(rows.int64(3), events_.newest() + 1)};
}

void VisitTable::set_marks(const VisitMarks& marks) {
  set_marks_.run(marks.next, marks.written, marks.indexed, marks.next_event);
}

void VisitTable::write(const Visit& visit) {
  const auto started = count_of(visit.started());
  const auto ended = count_of(visit.ended);
  parts_.touch(visit.site, visit.started(), visit.ended);
  changes_.add_visit(visit.site, visit.id);
  const bool has_pages = visit.pageviews > 0;
  const bool is_born_then = visit.born == std::chrono::floor<std::chrono::days>(visit.started());
  write_.run(visit.id, visit.site, started, ended - started, visit.first.second,
             unless_zero(visit.entry.second), has_pages ? count_of(visit.entry.first) - started : 0,
             unless_zero(visit.exit.second), has_pages ? ended - count_of(visit.exit.first) : 0,
             visit.pageviews, visit.events, unless_zero(visit.interactive ? 1 : 0),
             unless_zero(visit.named ? 1 : 0),
             is_born_then ? std::nullopt : std::optional(number_of(visit.born)),
             unless_zero((visit.started() - visit.active.from).count()),
             unless_zero((visit.active.to - visit.ended).count()));
}

std::optional<StoredVisit> VisitTable::find(VisitId id) {
  auto rows = find_.query(id);
  return rows.next() ? std::optional(read_visit(rows)) : std::nullopt;
}

VisitId VisitTable::winner_of(VisitId id) {
  auto rows = winner_of_.query(id);
  return rows.next() ? rows.int64(0) : id;
}

std::vector<VisitId> VisitTable::losers_of(VisitId id) {
  std::vector<VisitId> ids;
  auto rows = losers_of_.query(id);
  while (rows.next()) ids.push_back(rows.int64(0));
  return ids;
}

void VisitTable::each_open(VisitId indexed, const std::function<void(const StoredVisit&)>& take) {
  Statement select(connection_, std::string(kSelectVisit) + "WHERE v.id > ? ORDER BY v.id");
  auto rows = select.query(indexed);
  while (rows.next()) take(read_visit(rows));
}

void VisitTable::merge(const Visit& winner, VisitId loser) {
  parts_.touch(winner.site, winner.started(), winner.ended);
  changes_.add_merge(winner.site, loser, winner.id);
  remove_.run(loser);
  Statement follow(connection_, "UPDATE visit_merges SET winner = ? WHERE winner = ?");
  follow.run(winner.id, loser);
  Statement note(connection_, "INSERT INTO visit_merges(loser, winner, site) VALUES(?, ?, ?)");
  note.run(loser, winner.id, winner.site);
}

void VisitTable::index(const VisitorDay& visitor, VisitId visit) {
  index_.run(number_of(visitor.day), static_cast<std::int64_t>(visitor.id), visit);
}

std::vector<VisitId> VisitTable::visits_of(const VisitorDay& visitor) {
  std::vector<VisitId> ids;
  auto rows = visits_of_.query(number_of(visitor.day), static_cast<std::int64_t>(visitor.id));
  while (rows.next()) ids.push_back(rows.int64(0));
  return ids;
}

std::set<Days> VisitTable::indexed_days() {
  std::set<Days> days;
  Statement next(connection_, "SELECT min(day) FROM visit_index WHERE day > ?");
  for (std::optional<std::int64_t> day = INT64_MIN; day;) {
    auto rows = next.query(*day);
    day = rows.next() ? rows.maybe_int64(0) : std::nullopt;
    if (day) days.insert(to_day(*day));
  }
  return days;
}

bool VisitTable::drop_dead_index() {
  const auto days = indexed_days();
  for (const auto day : days) {
    Statement has_salt(connection_, "SELECT 1 FROM salts WHERE day = ?");
    if (has_salt.query(number_of(day)).next()) continue;
    Statement drop(connection_,
                   "DELETE FROM visit_index WHERE day = ?1 AND (visitor, visit) IN"
                   " (SELECT visitor, visit FROM visit_index WHERE day = ?1 LIMIT ?2)");
    drop.run(number_of(day), kDropIndexRows);
    return true;
  }
  return false;
}

void VisitTable::remove(VisitId visit, const VisitorDay& visitor) {
  changes_.add_end(visit);
  remove_.run(visit);
  remove_merges_.run(visit);
  remove_index_.run(number_of(visitor.day), static_cast<std::int64_t>(visitor.id), visit);
}

void VisitTable::remove(VisitId first, VisitId last) {
  for (const char* sql : {"DELETE FROM visits WHERE id >= ? AND id <= ?",
                          "DELETE FROM visit_merges WHERE winner >= ? AND winner <= ?"}) {
    Statement remove(connection_, sql);
    remove.run(first, last);
  }
}

VisitId VisitTable::end() {
  Statement select(connection_,
                   "SELECT max(next, (SELECT coalesce(max(id), 0) + 1 FROM visits))"
                   " FROM visit_marks");
  auto rows = select.query();
  return rows.next() ? rows.int64(0) : 0;
}

void VisitTable::remove_of_site(SiteId site, VisitId from, VisitId to) {
  Statement found(connection_,
                  "DELETE FROM visit_index WHERE (day, visitor, visit) IN"
                  " (SELECT e.time / 86400, e.visitor, v.id FROM visits v"
                  " JOIN events e ON e.id = v.first WHERE v.id >= ? AND v.id < ? AND v.site = ?)");
  found.run(from, to, site);
  Statement remove(connection_, "DELETE FROM visits WHERE id >= ? AND id < ? AND site = ?");
  remove.run(from, to, site);
  Statement merges(connection_,
                   "DELETE FROM visit_merges WHERE loser >= ? AND loser < ? AND site = ?");
  merges.run(from, to, site);
}

}  // namespace analytics::sqlite
