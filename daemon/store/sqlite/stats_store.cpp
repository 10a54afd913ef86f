#include "daemon/store/sqlite/stats_store.h"

#include <algorithm>

#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

// The numbers of kinds are those of StringKind; parameters: site, from, to, rows.
constexpr char kTotals[] =
    "SELECT count(DISTINCT e.visitor), count(*) FILTER (WHERE n.value = 'pageview')"
    " FROM events e JOIN strings n ON n.site = e.site AND n.kind = 1 AND n.id = e.name"
    " WHERE e.site = ?1 AND e.time >= ?2 AND e.time < ?3";
// Engagements belong to visits, and are nothing to count. Events behind the mark are in no row of a
// visit yet: who asks has them written before.
constexpr char kCounts[] =
    "SELECT count(DISTINCT e.visitor), count(*) FILTER (WHERE n.value = 'pageview'), count(*)"
    " FROM events e JOIN strings n ON n.site = e.site AND n.kind = 1 AND n.id = e.name"
    " WHERE e.site = ?1 AND e.time >= ?2 AND e.time < ?3 AND n.value != 'engagement'"
    " AND e.id <= (SELECT written FROM visit_marks)";
constexpr char kVisits[] =
    "WITH active AS (SELECT DISTINCT coalesce(m.winner, e.visit) AS visit FROM events e"
    " JOIN strings n ON n.site = e.site AND n.kind = 1 AND n.id = e.name"
    " LEFT JOIN visit_merges m ON m.loser = e.visit"
    " WHERE e.site = ?1 AND e.time >= ?2 AND e.time < ?3 AND n.value != 'engagement'"
    " AND e.id <= (SELECT written FROM visit_marks))"
    " SELECT count(*), coalesce(sum(v.pageviews < 2 AND v.interactive IS NULL), 0),"
    " coalesce(sum((v.started + v.length) / 1000 - v.started / 1000), 0)"
    " FROM active JOIN visits v ON v.id = active.visit";
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

Result<Sums> SqliteStatsStore::aggregate(const Query& query) {
  try {
    const Deadline deadline(connection_, kDeadline);
    const Snapshot snapshot(connection_);
    const auto wants = [&](std::initializer_list<Metric> any) {
      return std::find_first_of(query.metrics.begin(), query.metrics.end(), any.begin(),
                                any.end()) != query.metrics.end();
    };
    const auto from = seconds(query.range.from);
    const auto to = seconds(query.range.to);
    Sums sums;
    if (wants({Metric::kVisitors, Metric::kPageviews, Metric::kEvents, Metric::kViewsPerVisit})) {
      Statement counts(connection_, kCounts);
      auto row = counts.query(query.site, from, to);
      row.next();
      sums.visitors = row.int64(0);
      sums.pageviews = row.int64(1);
      sums.events = row.int64(2);
    }
    if (wants({Metric::kVisits, Metric::kViewsPerVisit, Metric::kBounceRate,
               Metric::kVisitDuration})) {
      Statement visits(connection_, kVisits);
      auto row = visits.query(query.site, from, to);
      row.next();
      sums.visits = row.int64(0);
      sums.bounces = row.int64(1);
      sums.visit_seconds = row.int64(2);
    }
    return sums;
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

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
    const Deadline deadline(connection_, kDeadline);
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
