#pragma once

#include <optional>

#include "daemon/store/alert_log.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Records when each alert about a site was last sent. Owns the table sent_alerts.
class SqliteAlertLog final : public store::AlertLog {
 public:
  /// `connection` must outlive this object.
  explicit SqliteAlertLog(Connection& connection) : connection_(connection) {}
  Status note_alert(SiteId site, AlertKind kind, UnixSeconds at) override;

  /// Deletes the records about a site's alerts, inside the transaction that deletes the site.
  /// Throws SqliteError.
  static void forget_site(Connection& connection, SiteId site);

 private:
  Connection& connection_;
};

/// Returns when an alert of this kind was last sent for the site; nullopt if never. Throws
/// SqliteError.
[[nodiscard]] std::optional<UnixSeconds> read_last_alert(Connection& connection, SiteId site,
                                                         AlertKind kind);

}  // namespace analytics::sqlite
