#include "daemon/store/sqlite/site_purge.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kPurgeEvents = 20'000;  // rows looked at in one slice
constexpr std::int64_t kPurgeStrings = 5'000;

}  // namespace

bool SitePurge::is_due() {
  Statement any(connection_, "SELECT 1 FROM purges");
  return any.query().next();
}

void SitePurge::slice() {
  const auto purge = next();
  if (!purge) return;
  if (purge->visits_left) {  // before the events, which they name
    purge_visits(purge->site, purge->from_visit);
  } else if (purge->events_left) {
    purge_events(purge->site, purge->from_event);
  } else {
    purge_rest(purge->site);
  }
}

std::optional<SitePurge::Next> SitePurge::next() {
  Statement next(connection_,
                 "SELECT site, next_event, next_visit, (SELECT coalesce(max(id), 0) FROM events),"
                 " max((SELECT next FROM visit_marks), (SELECT coalesce(max(id), 0) FROM visits))"
                 " FROM purges");
  auto rows = next.query();
  if (!rows.next()) return std::nullopt;
  return Next{rows.int64(0), rows.int64(1), rows.int64(2), rows.int64(1) <= rows.int64(3),
              rows.int64(2) <= rows.int64(4)};
}

void SitePurge::purge_visits(SiteId site, VisitId from) {
  visits_.forget(site);
  hours_.forget(site);
  Statement found(connection_,
                  "DELETE FROM visit_index WHERE (day, visitor, visit) IN"
                  " (SELECT e.time / 86400, e.visitor, v.id FROM visits v"
                  " JOIN events e ON e.id = v.first WHERE v.id >= ? AND v.id < ? AND v.site = ?)");
  found.run(from, from + kPurgeEvents, site);
  Statement remove(connection_, "DELETE FROM visits WHERE id >= ? AND id < ? AND site = ?");
  remove.run(from, from + kPurgeEvents, site);
  Statement merges(connection_,
                   "DELETE FROM visit_merges WHERE loser >= ? AND loser < ? AND site = ?");
  merges.run(from, from + kPurgeEvents, site);
  Statement move(connection_, "UPDATE purges SET next_visit = ? WHERE site = ?");
  move.run(from + kPurgeEvents, site);
}

void SitePurge::purge_events(SiteId site, EventId from) {
  Statement remove(connection_, "DELETE FROM events WHERE id >= ? AND id < ? AND site = ?");
  remove.run(from, from + kPurgeEvents, site);
  Statement move(connection_, "UPDATE purges SET next_event = ? WHERE site = ?");
  move.run(from + kPurgeEvents, site);
}

void SitePurge::purge_rest(SiteId site) {
  Statement strings(connection_,
                    "DELETE FROM strings WHERE site = ?1 AND (kind, id) IN"
                    " (SELECT kind, id FROM strings WHERE site = ?1 LIMIT ?2)");
  strings.run(site, kPurgeStrings);
  if (connection_.changes() == kPurgeStrings) return;
  Statement ids(connection_,
                "DELETE FROM record_ids WHERE site = ?1 AND hash IN"
                " (SELECT hash FROM record_ids WHERE site = ?1 LIMIT ?2)");
  ids.run(site, kPurgeStrings);
  if (connection_.changes() == kPurgeStrings) return;
  for (const auto* table : {"clients", "places", "ingest_counters", "event_hours", "text_sweeps"}) {
    Statement rows(connection_, std::string("DELETE FROM ") + table + " WHERE site = ?");
    rows.run(site);
  }
  Statement finish(connection_, "DELETE FROM purges WHERE site = ?");
  finish.run(site);
}

}  // namespace analytics::sqlite
