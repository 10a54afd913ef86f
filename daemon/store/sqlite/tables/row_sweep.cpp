#include "daemon/store/sqlite/tables/row_sweep.h"

#include <algorithm>
#include <set>

#include "common/io/failpoint.h"
#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

constexpr EventId kRowsOfSlice = 1'000;
// number of ids that a slice looks at if the previous slice found no rows
constexpr EventId kIdsOfEmptySlice = 20'000;

constexpr char kSelectSweep[] =
    "SELECT site, first_time, end_time, last_event, next_event FROM sealing";

/// Calls use(first, last) for each run of consecutive numbers. REQUIRES: `numbers` is sorted.
template <typename Numbers, typename Use>
void for_each_run(const Numbers& numbers, const Use& use) {
  for (auto at = numbers.begin(); at != numbers.end();) {
    const auto first = *at;
    auto last = first;
    while (++at != numbers.end() && *at == last + 1) last = *at;
    use(first, last);
  }
}

}  // namespace

void RowSweep::begin(const SiteDays& days, EventId last,
                     std::span<const std::uint64_t> kept_visitors) {
  const auto range = days.range();
  const auto spans = spans_of(connection_, days.site, range);
  Statement begin(connection_,
                  "INSERT INTO sealing(site, first_time, end_time, last_event, next_event)"
                  " VALUES(?, ?, ?, ?, ?)");
  // The sweep ends at the last event of the days. After an import of a whole year, `last` is much
  // higher, and reading all ids up to `last` for each day would take too long.
  const auto first = spans.empty() ? last + 1 : spans.front().first;
  const auto end = spans.empty() ? last : std::min(last, spans.back().second);
  begin.run(days.site, seconds(range.from), seconds(range.to), end, first);
  Statement keep(connection_, "INSERT INTO sealing_kept(visitor) VALUES(?)");
  for (const auto visitor : kept_visitors) keep.run(static_cast<std::int64_t>(visitor));
  left_.emplace();
}

std::optional<RowSweep::Leaving> RowSweep::next() {
  Statement select(connection_, kSelectSweep);
  auto rows = select.query();
  if (!rows.next()) return std::nullopt;
  return Leaving{rows.int64(0),
                 {to_time(rows.int64(1)), to_time(rows.int64(2))},
                 rows.int64(3),
                 rows.int64(4)};
}

void RowSweep::slice() {
  const auto leaving = next();
  if (!leaving) return;
  failpoint("in_sweep");
  const auto end =
      std::min(leaving->next + (found_none_ ? kIdsOfEmptySlice : kRowsOfSlice), leaving->last + 1);
  found_none_ = remove(*leaving, end) == 0;
  if (end > leaving->last) return finish(*leaving);
  Statement move(connection_, "UPDATE sealing SET next_event = ?");
  move.run(end);
}

std::int64_t RowSweep::remove(const Leaving& leaving, EventId end) {
  Statement select(connection_,
                   "SELECT e.id, e.time, coalesce(m.winner, e.visit, 0), k.visitor IS NOT NULL"
                   " FROM events e LEFT JOIN visit_merges m ON m.loser = e.visit"
                   " LEFT JOIN sealing_kept k ON k.visitor = e.visitor"
                   " WHERE e.id >= ? AND e.id < ? AND e.site = ? AND e.time >= ? AND e.time < ?");
  std::vector<EventId> events;
  std::set<VisitId> visits;
  auto rows = select.query(leaving.next, end, leaving.site, seconds(leaving.range.from),
                           seconds(leaving.range.to));
  while (rows.next()) {
    if (rows.int64(3) == 0) {
      events.push_back(rows.int64(0));
      visits.insert(rows.int64(2));
    } else if (left_) {
      left_->emplace_back(to_time(rows.int64(1)), rows.int64(0));
    }
  }
  for_each_run(events, [&](EventId first, EventId last) { events_.remove(first, last); });
  visits.erase(0);
  for_each_run(visits, [&](VisitId first, VisitId last) { visit_table_.remove(first, last); });
  for (const auto visit : visits) visits_.forget_visit(visit);
  return static_cast<std::int64_t>(events.size());
}

void RowSweep::finish(const Leaving& leaving) {
  if (left_) hours_.tighten(leaving.site, leaving.range, leaving.last, *left_);
  forget();
  connection_.want_truncation();  // the WAL still contains the deleted rows
}

void RowSweep::forget() {
  left_.reset();
  connection_.execute("DELETE FROM sealing; DELETE FROM sealing_kept");
}

void RowSweep::forget_site(SiteId site) {
  const auto leaving = next();
  if (!leaving || leaving->site != site) return;
  forget();
}

std::string not_leaving(Connection& connection, SiteId site) {
  Statement select(connection, std::string(kSelectSweep) + " WHERE site = ?");
  auto rows = select.query(site);
  if (!rows.next()) return {};
  return " AND NOT (e.id <= " + std::to_string(rows.int64(3)) +
         " AND e.time >= " + std::to_string(rows.int64(1)) + " AND e.time < " +
         std::to_string(rows.int64(2)) +
         " AND e.visitor NOT IN (SELECT visitor FROM sealing_kept))";
}

std::int64_t staying_rows(Connection& connection) {
  const auto count = [&](const std::string& condition) {
    Statement select(connection, "SELECT count(*) FROM events e" + condition);
    auto rows = select.query();
    return rows.next() ? rows.int64(0) : 0;
  };
  const auto all = count("");
  Statement select(connection, kSelectSweep);
  auto rows = select.query();
  if (!rows.next()) return all;
  const auto site = rows.int64(0);
  const auto of_site = " WHERE e.site = " + std::to_string(site);
  return all - count(of_site) + count(of_site + not_leaving(connection, site));
}

}  // namespace analytics::sqlite
