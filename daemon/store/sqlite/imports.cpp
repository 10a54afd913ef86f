#include "daemon/store/sqlite/imports.h"

#include "daemon/store/sqlite/changes.h"
#include "daemon/store/sqlite/totals_table.h"

namespace analytics::sqlite {

Status SqliteImports::delete_import(SiteId site, const std::string& name_or_log) {
  return in_transaction(connection_, [&] {
    const auto names = ledger_.names_of(site, name_or_log);
    if (names.empty() && !removals_.has_undo(site, name_or_log)) {
      throw Error{ErrorCode::kImportNotFound, "The site has no such import.", {}};
    }
    for (const auto& name : names) ledger_.require_whole(*ledger_.find_import(site, name));
    for (const auto& name : names) {
      TotalsTable::drop_import(connection_, *ledger_.find_import(site, name));
      removals_.begin_undo(site, name);
      ledger_.remove_import(site, name);
    }
  });
}

void SqliteImports::forget_site(SiteId site) {
  ledger_.forget_site(site);
  removals_.forget_site(site);
}

}  // namespace analytics::sqlite
