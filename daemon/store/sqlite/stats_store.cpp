#include "daemon/store/sqlite/stats_store.h"

#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

// The numbers of kinds are those of StringKind; parameters: site, from, to, rows.
constexpr char kTotals[] =
    "SELECT count(DISTINCT e.visitor), count(*) FILTER (WHERE n.value = 'pageview')"
    " FROM events e JOIN strings n ON n.site = e.site AND n.kind = 1 AND n.id = e.name"
    " WHERE e.site = ?1 AND e.time >= ?2 AND e.time < ?3";
constexpr char kPages[] =
    "SELECT p.value, count(DISTINCT e.visitor), count(*) FROM events e"
    " JOIN strings n ON n.site = e.site AND n.kind = 1 AND n.id = e.name AND n.value = 'pageview'"
    " JOIN strings p ON p.site = e.site AND p.kind = 3 AND p.id = e.path"
    " WHERE e.site = ?1 AND e.time >= ?2 AND e.time < ?3"
    " GROUP BY e.path ORDER BY 2 DESC, 3 DESC, 1 LIMIT ?4";
constexpr char kCustomEvents[] =
    "SELECT n.value, count(DISTINCT e.visitor), count(*) FROM events e"
    " JOIN strings n ON n.site = e.site AND n.kind = 1 AND n.id = e.name"
    " WHERE e.site = ?1 AND e.time >= ?2 AND e.time < ?3"
    " AND n.value NOT IN ('pageview', 'engagement')"
    " GROUP BY e.name ORDER BY 3 DESC, 1 LIMIT ?4";

}  // namespace

std::vector<store::Tally> SqliteStatsStore::top(const std::string& sql, SiteId site,
                                                UnixSeconds from, UnixSeconds to, int rows) {
  Statement statement(connection_, sql);
  auto result = statement.query(site, seconds(from), seconds(to), rows);
  std::vector<store::Tally> tallies;
  while (result.next()) tallies.push_back({result.text(0), result.int64(1), result.int64(2)});
  return tallies;
}

Result<store::Overview> SqliteStatsStore::overview(SiteId site, UnixSeconds from, UnixSeconds to,
                                                   int rows) {
  try {
    store::Overview overview;
    Statement totals(connection_, kTotals);
    if (auto row = totals.query(site, seconds(from), seconds(to)); row.next()) {
      overview.visitors = row.int64(0);
      overview.pageviews = row.int64(1);
    }
    overview.pages = top(kPages, site, from, to, rows);
    overview.events = top(kCustomEvents, site, from, to, rows);
    return overview;
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

}  // namespace analytics::sqlite
