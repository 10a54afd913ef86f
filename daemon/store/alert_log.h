#pragma once

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/alert.h"

namespace analytics::store {

/// Records when an alert was last sent for a site. Called on the writer thread. Errors:
/// kOverloaded (worth retrying), kInternal.
class AlertLog {
 public:
  virtual ~AlertLog() = default;
  /// Records that an alert of this kind was sent at `at`. Does nothing if the site no longer
  /// exists.
  virtual Status note_alert(SiteId site, AlertKind kind, UnixSeconds at) = 0;
};

}  // namespace analytics::store
