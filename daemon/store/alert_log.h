#pragma once

#include "common/result.h"
#include "common/time.h"
#include "daemon/model/alert.h"

namespace analytics::store {

/// Remembers when somebody was last told of an alert. Called on the writer thread. Errors:
/// kOverloaded (worth retrying), kInternal.
class AlertLog {
 public:
  virtual ~AlertLog() = default;
  /// Does nothing for a site that is gone.
  virtual Status note_alert(SiteId site, AlertKind kind, UnixSeconds at) = 0;
};

}  // namespace analytics::store
