#include "daemon/store/sqlite/registry/alert_log.h"

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {

Status AlertLog::note_alert(SiteId site, AlertKind kind, UnixSeconds at) {
  return guarded([&] {
    Statement write(connection_,
                    "INSERT OR REPLACE INTO sent_alerts(site, kind, sent_at)"
                    " SELECT id, ?, ? FROM sites WHERE id = ?");
    write.run(static_cast<int>(kind), seconds(at), site);
  });
}

void AlertLog::forget_site(Connection& connection, SiteId site) {
  Statement remove(connection, "DELETE FROM sent_alerts WHERE site = ?");
  remove.run(site);
}

std::optional<UnixSeconds> read_last_alert(Connection& connection, SiteId site, AlertKind kind) {
  Statement select(connection, "SELECT sent_at FROM sent_alerts WHERE site = ? AND kind = ?");
  auto rows = select.query(site, static_cast<int>(kind));
  return rows.next() ? std::optional(to_time(rows.int64(0))) : std::nullopt;
}

}  // namespace analytics::sqlite
