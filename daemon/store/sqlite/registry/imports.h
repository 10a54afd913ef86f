#pragma once

#include <string>

#include "common/run/result.h"
#include "daemon/model/site.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/tables/import_ledger.h"
#include "daemon/store/sqlite/tables/removal_table.h"

namespace analytics::sqlite {

/// Undoes imports into sites. Called on the writer thread. Each function returns after its change
/// is on disk. Besides the errors named below, each can fail with kOverloaded (worth retrying) or
/// kInternal.
class Imports {
 public:
  /// `connection` must outlive this object.
  explicit Imports(Connection& connection)
      : connection_(connection), ledger_(connection), removals_(connection) {}

  /// Deletes the import of that name, or else all imports of the log of that name. They disappear
  /// from the list at once; EventRemoval then removes their events, slice by slice. Deleting an
  /// import that is already being removed is not an error. Errors: kImportNotFound;
  /// kTooOldForCluster if only the cluster still has some of the events.
  Status delete_import(SiteId site, const std::string& name_or_log);

  /// Deletes all rows about a site's imports, inside the caller's transaction. Throws SqliteError.
  void forget_site(SiteId site);

 private:
  Connection& connection_;
  ImportLedger ledger_;
  RemovalTable removals_;
};

}  // namespace analytics::sqlite
