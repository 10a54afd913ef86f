#include "daemon/store/sqlite/overview.h"

#include <algorithm>

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/db/schema.h"
#include "daemon/store/sqlite/registry/registry.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/part_table.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kUnknownNames = 10;

std::vector<store::Overview::Site> read_sites(Connection& connection) {
  Statement select(connection,
                   "SELECT s.id, s.domain, a.name FROM sites s JOIN accounts a ON a.id = s.account"
                   " ORDER BY s.id");
  std::vector<store::Overview::Site> sites;
  for (auto rows = select.query(); rows.next();) {
    const auto id = rows.int64(0);
    const auto last = std::max(last_row(connection, id), last_sealed(connection, id));
    sites.push_back({rows.text(1), rows.text(2), to_time(last)});
  }
  return sites;
}

std::vector<store::Overview::Drop> read_drops(Connection& connection, UnixSeconds since) {
  Statement select(connection,
                   "SELECT s.domain, c.outcome, sum(c.count) FROM ingest_counters c"
                   " JOIN sites s ON s.id = c.site WHERE c.hour >= ? GROUP BY 1, 2 ORDER BY 1, 3"
                   " DESC");
  return read_all(select.query(seconds(since)), [](const Rows& row) {
    return store::Overview::Drop{row.text(0), static_cast<EventOutcome>(row.int64(1)),
                                 row.int64(2)};
  });
}

std::vector<store::UnknownSite> read_unknown(Connection& connection, UnixSeconds since) {
  Statement select(connection,
                   "SELECT domain, count, last_seen FROM unknown_sites WHERE last_seen >= ?"
                   " ORDER BY count DESC LIMIT ?");
  return read_all(select.query(seconds(since), kUnknownNames), [](const Rows& row) {
    return store::UnknownSite{row.text(0), row.int64(1), to_time(row.int64(2))};
  });
}

std::vector<store::Overview::Key> read_keys(Connection& connection) {
  Statement select(connection,
                   "SELECT k.prefix, a.name, k.expires_at FROM api_keys k"
                   " JOIN accounts a ON a.id = k.account ORDER BY k.id");
  return read_all(select.query(), [](const Rows& row) {
    return store::Overview::Key{row.text(0), row.text(1), to_time(row.maybe_int64(2))};
  });
}

}  // namespace

Result<store::Overview> overview(const std::filesystem::path& database, UnixSeconds since) {
  return guarded([&] {
    return or_unusable([&] {
      Connection connection(database, Role::kReader);
      const Snapshot snapshot(connection);
      require_newest(connection);
      store::Overview all;
      all.sites = read_sites(connection);
      all.drops = read_drops(connection, since);
      all.unknown_sites = read_unknown(connection, since);
      all.keys = read_keys(connection);
      all.last_backup = read_last_backup(connection);
      return all;
    });
  });
}

}  // namespace analytics::sqlite
