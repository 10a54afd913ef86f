#pragma once

#include <string>

#include "common/run/result.h"
#include "daemon/model/site.h"

namespace analytics::store {

/// Imports into sites. Called on the writer thread; a change is on disk when it returns. Errors
/// besides those named: kOverloaded (worth retrying), kInternal.
class Imports {
 public:
  virtual ~Imports() = default;

  /// Deletes the import with that name, or else all imports of that log. They disappear from the
  /// list at once; housekeeping removes their events. Deleting an import that is already being
  /// removed is not an error. Errors: kImportNotFound; kTooOldForCluster if the store has shed some
  /// of its events.
  virtual Status delete_import(SiteId site, const std::string& name_or_log) = 0;
};

}  // namespace analytics::store
