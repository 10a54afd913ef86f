#include "daemon/store/sqlite/tables/late_events.h"

#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/part_table.h"

namespace analytics::sqlite {
namespace {

std::vector<Caveats::LostDay> read_days(Rows rows) {
  std::vector<Caveats::LostDay> days;
  while (rows.next()) days.push_back({to_day(rows.int64(0)), rows.int64(1)});
  return days;
}

}  // namespace

LateEvents::LateEvents(Connection& connection)
    : connection_(connection),
      salts_(connection, "SELECT salts FROM salt_days WHERE day = ?"),
      since_(connection, "SELECT salt FROM late_days WHERE site = ? AND day = ?"),
      set_since_(connection, "INSERT INTO late_days(site, day, salt) VALUES(?, ?, ?)"),
      count_(connection,
             "INSERT INTO late_events(site, day, import, events) VALUES(?, ?, ?, ?)"
             " ON CONFLICT(site, day, import) DO UPDATE SET events = events + excluded.events") {}

void LateEvents::add(const Key& key, std::int64_t events) {
  auto rows = salts_.query(number_of(key.day));
  const auto salts = rows.next() ? rows.int64(0) : 0;
  if (salts <= 1 || !is_late(key.site, key.day, salts)) return;
  count_.run(key.site, number_of(key.day), key.import, events);
}

/// Returns true if the site had events of the day under an earlier salt. `salts`: how many salts
/// the day has had.
bool LateEvents::is_late(SiteId site, Days day, std::int64_t salts) {
  {
    auto rows = since_.query(site, number_of(day));
    if (rows.next()) return rows.int64(0) < salts;
  }
  const TimeRange range{day, day + std::chrono::days(1)};
  const bool has_events =
      !spans_of(connection_, site, range).empty() || !parts_of(connection_, site, range).empty();
  const auto since = has_events ? 1 : salts;
  set_since_.run(site, number_of(day), since);
  return since < salts;
}

void count_salt(Connection& connection, Days day) {
  Statement count(connection,
                  "INSERT INTO salt_days(day, salts) VALUES(?, 1)"
                  " ON CONFLICT(day) DO UPDATE SET salts = salts + 1");
  count.run(number_of(day));
}

void forget_late_events(Connection& connection, ImportId import) {
  Statement remove(connection, "DELETE FROM late_events WHERE import = ?");
  remove.run(import);
}

void forget_late_events_of_site(Connection& connection, SiteId site) {
  for (const char* table : {"late_days", "late_events"}) {
    Statement remove(connection, std::string("DELETE FROM ") + table + " WHERE site = ?");
    remove.run(site);
  }
}

std::vector<Caveats::LostDay> late_events_of(Connection& connection, SiteId site,
                                             const TimeRange& range) {
  Statement select(connection,
                   "SELECT day, sum(events) FROM late_events WHERE site = ?"
                   " AND day BETWEEN ? AND ? GROUP BY day ORDER BY day");
  using std::chrono::days;
  const auto last = std::chrono::floor<days>(range.to - std::chrono::seconds(1));
  return read_days(
      select.query(site, number_of(std::chrono::floor<days>(range.from)), number_of(last)));
}

std::vector<Caveats::LostDay> late_events_of(Connection& connection, ImportId import) {
  Statement select(connection, "SELECT day, events FROM late_events WHERE import = ? ORDER BY day");
  return read_days(select.query(import));
}

std::vector<store::LateDay> late_days_of_all(Connection& connection) {
  Statement select(connection,
                   "SELECT site, day, coalesce(sum(events), 0) FROM late_days"
                   " LEFT JOIN late_events USING (site, day) GROUP BY site, day");
  return read_all(select.query(), [](const Rows& row) {
    return store::LateDay{row.int64(0), to_day(row.int64(1)), row.int64(2)};
  });
}

}  // namespace analytics::sqlite
