#include "daemon/store/sqlite/removal/site_purge.h"

#include "daemon/store/sqlite/db/counters.h"

namespace analytics::sqlite {
namespace {

// number of event or visit ids that a slice goes through
constexpr std::int64_t kPurgeEvents = 20'000;
constexpr std::int64_t kPurgeStrings = 5'000;

}  // namespace

void SitePurge::request(Connection& connection, SiteId site) {
  Statement insert(connection, "INSERT OR IGNORE INTO purges(site, next_event) VALUES(?, 0)");
  insert.run(site);
}

bool SitePurge::is_any_due(Connection& connection) {
  Statement select(connection, "SELECT 1 FROM purges LIMIT 1");
  return select.query().next();
}

void SitePurge::slice() {
  const auto purge = next();
  if (!purge) return;
  // visits refer to events, so visits are removed first
  if (purge->visit < tables_.visit_table.end()) {
    purge_visits(*purge);
  } else if (purge->event <= tables_.events.newest()) {
    purge_events(*purge);
  } else {
    purge_rest(purge->site);
  }
}

std::optional<SitePurge::Next> SitePurge::next() {
  Statement select(connection_, "SELECT site, next_event, next_visit FROM purges");
  auto rows = select.query();
  if (!rows.next()) return std::nullopt;
  return Next{rows.int64(0), rows.int64(1), rows.int64(2)};
}

void SitePurge::purge_visits(const Next& purge) {
  tables_.visits.forget(purge.site);
  tables_.hours.forget(purge.site);
  tables_.parts.forget_site(purge.site);
  tables_.row_sweep.forget_site(purge.site);
  const auto end = purge.visit + kPurgeEvents;
  tables_.visit_table.remove_of_site(purge.site, purge.visit, end);
  Statement move(connection_, "UPDATE purges SET next_visit = ? WHERE site = ?");
  move.run(end, purge.site);
}

void SitePurge::purge_events(const Next& purge) {
  const auto end = purge.event + kPurgeEvents;
  tables_.events.remove({purge.event, end, purge.site, 0});
  Statement move(connection_, "UPDATE purges SET next_event = ? WHERE site = ?");
  move.run(end, purge.site);
}

void SitePurge::purge_rest(SiteId site) {
  if (tables_.strings.remove_some(site, kPurgeStrings)) return;
  if (tables_.ledger.remove_some_records(site, kPurgeStrings)) return;
  Counters::remove_site(connection_, site);
  tables_.hours.remove(site);
  tables_.totals.drop(site);
  tables_.sweep.forget(site);
  tables_.parts.forget_site(site);
  tables_.changes.add_site_gone(site, tables_.events.newest());
  Statement finish(connection_, "DELETE FROM purges WHERE site = ?");
  finish.run(site);
}

}  // namespace analytics::sqlite
