#include "daemon/store/sqlite/file_check.h"

#include <array>
#include <atomic>
#include <unordered_map>

#include "common/text/grouped.h"
#include "common/text/local_time.h"
#include "daemon/parts/bytes.h"
#include "daemon/parts/cold_columns.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/db/schema.h"
#include "daemon/store/sqlite/reading/raw_scan.h"
#include "daemon/store/sqlite/recount.h"
#include "daemon/store/sqlite/registry/funnels.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/string_table.h"
#include "daemon/store/sqlite/tables/totals_table.h"

namespace analytics::sqlite {
namespace {

using std::chrono::days;

constexpr int kMaxProblems = 20;  // maximum number of problems that SQLite lists
constexpr int kDays = 5;          // number of random days whose visits are recomputed

/// Reads all columns of a part and checks their checksums. Unless `quick`, also decodes them.
/// Throws parts::Damaged.
void read_part(Connection& connection, const StoredPart& part, bool quick) {
  const auto fetch = [&](std::uint32_t column) { return read_column(connection, part.id, column); };
  const auto head = parts::PartHead::read(fetch(parts::kHeadId));
  if (quick) {
    for (const auto column : head.columns) (void)fetch(column);
  } else if (part.is_copy) {
    parts::Part(part.id, head, fetch).load(parts::part_columns());
  } else {
    (void)parts::read_raw_events(head, fetch);
  }
}

void check_parts(Connection& connection, bool quick, const Found& found) {
  Statement select(connection, "SELECT id, domain FROM sites");
  for (auto sites = select.query(); sites.next();) {
    for (const auto& part :
         parts_of(connection, sites.int64(0), {to_time(-kMaxSeconds), to_time(kMaxSeconds)})) {
      try {
        read_part(connection, part, quick);
      } catch (const parts::Damaged& damaged) {
        found("events of " + sites.text(1) + " from " + format_day(part.first) + " to " +
              format_day(part.last) +
              (part.is_copy ? " are copied wrongly: " : " cannot be read: ") + damaged.what());
      }
    }
  }
}

/// Checks the data of the registry that has a fixed form: the sizes of salts and the steps of
/// funnels.
void check_registry(Connection& connection, const Found& found) {
  Statement salts(connection,
                  "SELECT count(*) FROM salts WHERE typeof(salt) <> 'blob' OR length(salt) <> ?");
  if (auto rows = salts.query(std::int64_t{sizeof(HashKey)}); rows.next() && rows.int64(0) > 0) {
    found("a salt has another size");
  }
  Statement select(connection, std::string("SELECT ") + kFunnelColumns + " FROM funnels");
  for (auto funnels = select.query(); funnels.next();) {
    try {
      (void)read_funnel(funnels);
    } catch (const SqliteError& damaged) {
      found(std::string(damaged.what()) + ": " + funnels.text(1));
    }
  }
}

/// Reports tables with texts that are longer than an event's texts may be.
void check_texts(Connection& connection, const Found& found) {
  const auto look = [&](const std::string& table, const std::string& length, StringKind kind,
                        const char* more) {
    Statement select(connection,
                     "SELECT count(*) FROM " + table + " WHERE " + length + " > ?" + more);
    auto rows = select.query(most_bytes_of(kind));
    if (rows.next() && rows.int64(0) > 0) {
      found(grouped(rows.int64(0)) + " rows of " + table + " have a text longer than any event's");
    }
  };
  const auto props = std::to_string(static_cast<int>(StringKind::kProps));
  look("strings", "length(CAST(value AS BLOB))", StringKind::kName,
       (" AND kind <> " + props).c_str());
  look("strings", "length(CAST(value AS BLOB))", StringKind::kProps, "");
  const auto longest = [](const auto& parts) {
    std::string lengths;
    for (const auto& part : parts) {
      lengths += (lengths.empty() ? "" : ", ") +
                 ("coalesce(length(CAST(" + std::string(part.name) + " AS BLOB)), 0)");
    }
    return "max(" + lengths + ")";
  };
  look("clients", longest(kClientParts), StringKind::kClient, "");
  look("places", longest(kPlaceParts), StringKind::kPlace, "");
}

void check_totals(Connection& connection, const Found& found) {
  each_damaged(connection, [&](SiteId site, Days day) {
    found("daily totals of the site " + std::to_string(site) + " of " + format_day(day) +
          " cannot be read");
  });
}

/// Reads all rows of events and reports ids of texts that do not exist.
void check_rows(Connection& connection, const Found& found) {
  const std::atomic<bool> cancelled{false};
  const query::Budget budget({std::chrono::hours(24), SIZE_MAX}, cancelled);
  Statement select(connection, "SELECT id, domain FROM sites");
  for (auto sites = select.query(); sites.next();) {
    DictionaryReader texts(connection, sites.int64(0), budget);
    RawScan scan(connection, texts, sites.int64(0), {to_time(-kMaxSeconds), to_time(kMaxSeconds)},
                 INT64_MAX);
    try {
      for (query::RawEvent event; scan.next(event);) {
      }
    } catch (const SqliteError& error) {
      if (!error.is_damage()) throw;
      found("events of " + sites.text(1) + ": " + error.what());
    }
  }
}

struct SiteOfDay {
  SiteId site;
  std::string domain;
  Days day;
};

/// Returns some random days that have events as rows.
std::vector<SiteOfDay> choose_days(Connection& connection) {
  Statement select(connection,
                   "SELECT DISTINCT h.site, s.domain, h.hour / 24 FROM event_hours h"
                   " JOIN sites s ON s.id = h.site ORDER BY random() LIMIT ?");
  return read_all(select.query(std::int64_t{kDays}), [](const Rows& row) {
    return SiteOfDay{row.int64(0), row.text(1), Days(days(row.int64(2)))};
  });
}

/// Returns the visits computed from the events of a day and of the next day, because visits may
/// end on the next day.
std::unordered_map<VisitId, Visit> visits_of_events(Connection& connection, const SiteOfDay& of,
                                                    EventId last) {
  const std::atomic<bool> cancelled{false};
  const query::Budget budget({std::chrono::hours(24), SIZE_MAX}, cancelled);
  DictionaryReader texts(connection, of.site, budget);
  RawScan scan(connection, texts, of.site, {of.day, of.day + days(2)}, last);
  std::unordered_map<VisitId, Visit> visits;
  for (query::RawEvent event; scan.next(event);) {
    if (event.visit != 0 && event.role != VisitRole::kStay) {
      visits[event.visit].add(event.member());
    }
  }
  return visits;
}

void check_visits(Connection& connection, const SiteOfDay& of, const Found& found) {
  const auto visits = visits_of_events(connection, of, last_written(connection));
  Statement select(connection,
                   "SELECT id, started, length, pageviews, events, interactive IS NOT NULL, first,"
                   " coalesce(entry, 0), coalesce(exit, 0) FROM visits"
                   " WHERE site = ? AND started >= ? AND started < ? AND length < 86400000"
                   " AND named IS NULL");
  const auto millis = [](Days day) { return 1'000 * seconds(day); };
  std::int64_t wrong = 0;
  for (auto rows = select.query(of.site, millis(of.day), millis(of.day + days(1))); rows.next();) {
    const auto made = visits.find(rows.int64(0));
    if (made == visits.end()) {
      ++wrong;
      continue;
    }
    const auto& visit = made->second;
    const auto started = visit.started().time_since_epoch().count();
    const auto length = (visit.ended - visit.started()).count();
    const std::array<std::int64_t, 8> expected = {started,
                                                  length,
                                                  visit.pageviews,
                                                  visit.events,
                                                  visit.interactive ? 1 : 0,
                                                  visit.first.second,
                                                  visit.entry.second,
                                                  visit.exit.second};
    for (int i = 0; i < 8; ++i) {
      if (rows.int64(i + 1) == expected.at(static_cast<std::size_t>(i))) continue;
      ++wrong;
      break;
    }
  }
  if (wrong == 0) return;
  found(std::to_string(wrong) + " visits of " + of.domain + " on " + format_day(of.day) +
        " are not what their events make");
}

void check_pages(Connection& connection, bool quick, const Found& found) {
  Statement check(connection, std::string("PRAGMA ") +
                                  (quick ? "quick_check(" : "integrity_check(") +
                                  std::to_string(kMaxProblems) + ")");
  for (auto rows = check.query(); rows.next();) {
    if (const auto problem = rows.text(0); problem != "ok") found(problem);
  }
}

}  // namespace

void check_quickly(Connection& connection, const Found& found) {
  check_pages(connection, true, found);
  if (schema_of(connection) != newest_schema()) return;
  check_parts(connection, true, found);
  check_registry(connection, found);
}

Result<std::vector<std::string>> check_file(const std::filesystem::path& database,
                                            const store::CheckScope& scope, const Found& found) {
  return guarded([&]() -> std::vector<std::string> {
    try {
      Connection connection(database, Role::kReader);
      const Snapshot snapshot(connection);
      require_newest(connection);
      check_pages(connection, scope.quick, found);
      check_parts(connection, scope.quick, found);
      check_registry(connection, found);
      if (scope.quick) return {};
      check_texts(connection, found);
      check_rows(connection, found);
      check_totals(connection, found);
      for (const auto& of : choose_days(connection)) check_visits(connection, of, found);
      if (scope.recounts) return recount(connection, scope.site, found);
    } catch (const SqliteError& error) {
      if (!error.is_damage()) throw;
      found(error.what());
    }
    return {};
  });
}

}  // namespace analytics::sqlite
