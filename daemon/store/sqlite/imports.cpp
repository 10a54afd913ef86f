#include "daemon/store/sqlite/imports.h"

#include "daemon/store/sqlite/changes.h"
#include "daemon/store/sqlite/totals_table.h"

namespace analytics::sqlite {

Status SqliteImports::delete_import(SiteId site, const std::string& name) {
  return in_transaction(connection_, [&] {
    if (const auto import = ledger_.find_import(site, name)) {
      TotalsTable::drop_import(connection_, *import);
    }
    if (removals_.begin_undo(site, name)) return ledger_.remove_import(site, name);
    if (!removals_.has_undo(site, name)) {
      throw Error{ErrorCode::kImportNotFound, "The site has no such import.", {}};
    }
  });
}

void SqliteImports::forget_site(SiteId site) {
  ledger_.forget_site(site);
  removals_.forget_site(site);
}

}  // namespace analytics::sqlite
