#include "daemon/store/sqlite/registry/imports.h"

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/tables/late_events.h"
#include "daemon/store/sqlite/tables/totals_table.h"

namespace analytics::sqlite {

Status Imports::delete_import(SiteId site, const std::string& name_or_log) {
  return in_transaction(connection_, [&] {
    const auto names = ledger_.names_of(site, name_or_log);
    if (names.empty() && !removals_.has_undo(site, name_or_log)) {
      throw Error{ErrorCode::kImportNotFound, "The site has no such import.", {}};
    }
    for (const auto& name : names) ledger_.require_whole(*ledger_.find_import(site, name));
    for (const auto& name : names) {
      const auto import = *ledger_.find_import(site, name);
      TotalsTable::drop_import(connection_, import);
      forget_late_events(connection_, import);
      removals_.begin_undo(site, name);
      ledger_.remove_import(site, name);
    }
  });
}

void Imports::forget_site(SiteId site) {
  ledger_.forget_site(site);
  forget_late_events_of_site(connection_, site);
  removals_.forget_site(site);
}

}  // namespace analytics::sqlite
