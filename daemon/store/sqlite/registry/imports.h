#pragma once

#include "daemon/store/imports.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/tables/import_ledger.h"
#include "daemon/store/sqlite/tables/removal_table.h"

namespace analytics::sqlite {

/// Deletes imports of events. EventRemoval then removes their events, slice by slice.
class SqliteImports final : public store::Imports {
 public:
  /// `connection` must outlive this object.
  explicit SqliteImports(Connection& connection)
      : connection_(connection), ledger_(connection), removals_(connection) {}

  Status delete_import(SiteId site, const std::string& name_or_log) override;

  /// Deletes all rows about a site's imports, inside the caller's transaction. Throws SqliteError.
  void forget_site(SiteId site);

 private:
  Connection& connection_;
  ImportLedger ledger_;
  RemovalTable removals_;
};

}  // namespace analytics::sqlite
