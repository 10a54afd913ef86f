#pragma once

#include <string>

#include "common/run/result.h"
#include "daemon/model/site.h"

namespace analytics::store {

/// Undoes imports into sites. Called on the writer thread. Each function returns after its change
/// is on disk. Besides the errors named below, each can fail with kOverloaded (worth retrying) or
/// kInternal.
class Imports {
 public:
  virtual ~Imports() = default;

  /// Deletes the import of that name, or else all imports of the log of that name. They disappear
  /// from the list at once; housekeeping removes their events. Deleting an import that is already
  /// being removed is not an error. Errors: kImportNotFound; kTooOldForCluster if only the cluster
  /// still has some of the events.
  virtual Status delete_import(SiteId site, const std::string& name_or_log) = 0;
};

}  // namespace analytics::store
