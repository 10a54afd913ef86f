#pragma once

#include "daemon/store/imports.h"
#include "daemon/store/sqlite/import_ledger.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/sqlite/undo_table.h"

namespace analytics::sqlite {

/// Ends imports: what they stored is then removed by ImportUndo, slice by slice.
class SqliteImports final : public store::Imports {
 public:
  /// `connection` must outlive this object.
  explicit SqliteImports(Connection& connection)
      : connection_(connection), ledger_(connection), undos_(connection) {}

  Status delete_import(SiteId site, const std::string& name) override;

  /// Removes what is known of a site's imports, inside the caller's transaction. Throws
  /// SqliteError.
  void forget_site(SiteId site);

 private:
  Connection& connection_;
  ImportLedger ledger_;
  UndoTable undos_;
};

}  // namespace analytics::sqlite
