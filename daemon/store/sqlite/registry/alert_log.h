#pragma once

#include <optional>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/alert.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Records when an alert was last sent for a site. Called on the writer thread. Owns the table
/// sent_alerts. Errors: kOverloaded (worth retrying), kInternal.
class AlertLog {
 public:
  /// `connection` must outlive this object.
  explicit AlertLog(Connection& connection) : connection_(connection) {}

  /// Records that an alert of this kind was sent at `at`. Does nothing if the site no longer
  /// exists.
  Status note_alert(SiteId site, AlertKind kind, UnixSeconds at);

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
