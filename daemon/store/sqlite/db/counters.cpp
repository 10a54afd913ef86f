#include "daemon/store/sqlite/db/counters.h"

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kMaxUnknownNames = 1'000;

}  // namespace

Status Counters::add(std::span<const store::OutcomeCount> counts,
                     std::span<const store::UnknownSite> unknown) {
  return in_transaction(connection_, [&] {
    Statement add(connection_,
                  "INSERT INTO ingest_counters(site, hour, outcome, count)"
                  " SELECT ?1, ?2, ?3, ?4 WHERE ?1 = 0 OR EXISTS(SELECT 1 FROM sites WHERE id = ?1)"
                  " ON CONFLICT DO UPDATE SET count = count + excluded.count");
    for (const auto& row : counts) {
      add.run(row.site, seconds(row.hour), static_cast<int>(row.outcome), row.count);
    }
    Statement name(connection_,
                   "INSERT INTO unknown_sites(domain, count, last_seen) VALUES(?, ?, ?) ON CONFLICT"
                   " DO UPDATE SET count = count + excluded.count, last_seen = excluded.last_seen");
    for (const auto& row : unknown) name.run(row.domain, row.count, seconds(row.last_seen));
    if (!unknown.empty()) {
      Statement trim_names(connection_,
                           "DELETE FROM unknown_sites WHERE domain IN (SELECT domain FROM"
                           " unknown_sites ORDER BY count DESC, last_seen DESC LIMIT -1 OFFSET ?)");
      trim_names.run(kMaxUnknownNames);
    }
  });
}

Status Counters::forget_until(UnixSeconds hour) {
  return in_transaction(connection_, [&] {
    Statement forget(connection_, "DELETE FROM ingest_counters WHERE hour <= ?");
    forget.run(seconds(hour));
  });
}

void Counters::remove_site(Connection& connection, SiteId site) {
  Statement rows(connection, "DELETE FROM ingest_counters WHERE site = ?");
  rows.run(site);
}

}  // namespace analytics::sqlite
