#pragma once

#include <string>

#include "common/result.h"
#include "daemon/model/site.h"

namespace analytics::store {

/// What was imported into sites. Called on the writer thread; a change is on disk when it returns.
/// Errors beside those named: kOverloaded (worth retrying), kInternal.
class Imports {
 public:
  virtual ~Imports() = default;

  /// Deletes the import of that name; if there is none, all of that log. Gone from the list at
  /// once; housekeeping removes what it stored. One that is leaving already is no error. Errors:
  /// kImportNotFound; kTooOldForCluster if the store has shed events of it.
  virtual Status delete_import(SiteId site, const std::string& name_or_log) = 0;
};

}  // namespace analytics::store
