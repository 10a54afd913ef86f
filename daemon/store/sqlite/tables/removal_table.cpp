#include "daemon/store/sqlite/tables/removal_table.h"

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/selection_columns.h"
#include "daemon/store/sqlite/tables/totals_table.h"

namespace analytics::sqlite {
namespace {

constexpr query::PartId kUnknownPart = -1;

std::string select_removals() {
  return "SELECT " + std::string(kSelectionColumns) +
         ", id, name IS NOT NULL, shed, removed, next_event, last_event, part, last_part,"
         " earliest, latest FROM removals";
}

RemovalTable::Removal read_removal(const Rows& row) {
  RemovalTable::Removal removal;
  removal.what = read_selection(row);
  removal.id = row.int64(10);
  removal.is_undo = row.int64(11) != 0;
  removal.is_shed = row.int64(12) != 0;
  removal.removed = row.int64(13);
  removal.next_event = row.int64(14);
  removal.last_event = row.int64(15);
  removal.part = row.int64(16);
  removal.last_part = row.int64(17);
  removal.earliest = row.maybe_int64(18);
  removal.latest = row.maybe_int64(19);
  return removal;
}

}  // namespace

void RemovalTable::begin_undo(SiteId site, const std::string& name) {
  TotalsTable::discard_site(connection_, site);
  Statement begin(connection_,
                  "INSERT INTO removals(site, import, name, log, created_at, events, next_event,"
                  " last_event, last_part) SELECT site, id, name, log, created_at, events,"
                  " first_event,"
                  " (SELECT coalesce(max(id), 0) FROM events),"
                  " ? FROM imports"
                  " WHERE site = ? AND name = ?");
  begin.run(kUnknownPart, site, name);
}

bool RemovalTable::has_undo(SiteId site, const std::string& name) {
  Statement select(connection_,
                   "SELECT 1 FROM removals WHERE site = ?1 AND (name = ?2 OR log = ?2)");
  return select.query(site, name).next();
}

RemovalId RemovalTable::begin(const EventSelection& what, EventId first, EventId last,
                              UnixSeconds now, std::int64_t totals) {
  TotalsTable::discard_site(connection_, what.site);
  Statement begin(connection_, "INSERT INTO removals(" + std::string(kSelectionColumns) +
                                   ", created_at, next_event, last_event, totals, last_part)"
                                   " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  run_with_selection(begin, what, seconds(now), first, last, totals, kUnknownPart);
  return connection_.last_insert_id();
}

void RemovalTable::begin_shedding(SiteId site, EventId last, UnixSeconds now) {
  Statement shed(connection_, "UPDATE removals SET shed = 1 WHERE id = ?");
  shed.run(begin({.site = site}, 1, last, now, 0));
}

std::optional<RemovalTable::Removal> RemovalTable::next() {
  Statement select(connection_, select_removals() + " ORDER BY id LIMIT 1");
  auto rows = select.query();
  return rows.next() ? std::optional(read_removal(rows)) : std::nullopt;
}

void RemovalTable::find_last_part(RemovalId removal) {
  Statement set(connection_,
                "UPDATE removals SET last_part = (SELECT coalesce(max(id), 0) FROM parts)"
                " WHERE id = ?");
  set.run(removal);
}

void RemovalTable::advance(const Removal& removal) {
  Statement move(connection_,
                 "UPDATE removals SET removed = ?, next_event = ?, part = ?, earliest = ?,"
                 " latest = ? WHERE id = ?");
  move.run(removal.removed, removal.next_event, removal.part, removal.earliest, removal.latest,
           removal.id);
}

void RemovalTable::finish(RemovalId removal) {
  Statement remove(connection_, "DELETE FROM removals WHERE id = ?");
  remove.run(removal);
}

void RemovalTable::forget_site(SiteId site) {
  Statement visits(connection_,
                   "DELETE FROM removal_visits WHERE removal IN (SELECT id FROM removals"
                   " WHERE site = ?)");
  visits.run(site);
  Statement removals(connection_, "DELETE FROM removals WHERE site = ?");
  removals.run(site);
}

void RemovalTable::add_damaged(RemovalId removal, VisitId visit) {
  Statement insert(connection_,
                   "INSERT OR IGNORE INTO removal_visits(removal, visit) VALUES(?, ?)");
  insert.run(removal, visit);
}

void RemovalTable::follow_merges(RemovalId removal) {
  Statement merged(connection_,
                   "UPDATE OR REPLACE removal_visits SET visit ="
                   " (SELECT winner FROM visit_merges WHERE loser = visit) WHERE removal = ?"
                   " AND visit IN (SELECT loser FROM visit_merges)");
  merged.run(removal);
}

std::vector<std::pair<VisitId, std::int64_t>> RemovalTable::damaged(RemovalId removal,
                                                                    std::int64_t most) {
  Statement select(connection_,
                   "SELECT u.visit, coalesce(v.events, 0) FROM removal_visits u"
                   " LEFT JOIN visits v ON v.id = u.visit WHERE u.removal = ? LIMIT ?");
  std::vector<std::pair<VisitId, std::int64_t>> visits;
  auto rows = select.query(removal, most);
  while (rows.next()) visits.emplace_back(rows.int64(0), rows.int64(1));
  return visits;
}

void RemovalTable::remove_damaged(RemovalId removal, VisitId visit) {
  Statement remove(connection_, "DELETE FROM removal_visits WHERE removal = ? AND visit = ?");
  remove.run(removal, visit);
}

RemovalId first_removal(Connection& connection, SiteId site) {
  Statement select(connection, "SELECT coalesce(min(id), 0) FROM removals WHERE site = ?");
  auto rows = select.query(site);
  return rows.next() ? rows.int64(0) : 0;
}

std::vector<RemovalTable::Removal> pending_removals(Connection& connection, SiteId site) {
  Statement select(connection,
                   select_removals() + " WHERE site = ? AND totals = 0 AND shed = 0 ORDER BY id");
  return read_all(select.query(site), read_removal);
}

std::optional<UnixSeconds> counted_from(Connection& connection, SiteId site) {
  Statement select(connection, "SELECT max(to_time) FROM removals WHERE site = ? AND totals <> 0");
  auto rows = select.query(site);
  return rows.next() ? to_time(rows.maybe_int64(0)) : std::nullopt;
}

TimeRange counted_range(Connection& connection, SiteId site, const TimeRange& range) {
  const auto from = counted_from(connection, site);
  if (!from) return range;
  return {std::clamp(*from, range.from, std::max(range.from, range.to)), range.to};
}

}  // namespace analytics::sqlite
