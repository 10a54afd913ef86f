#include "daemon/store/sqlite/imports.h"

#include "daemon/store/sqlite/changes.h"

namespace analytics::sqlite {

Status SqliteImports::delete_import(SiteId site, const std::string& name) {
  return in_transaction(connection_, [&] {
    Statement begin(connection_,
                    "INSERT INTO undos(import, site, name, created_at, events, next_event,"
                    " last_event) SELECT id, site, name, created_at, events, first_event,"
                    " (SELECT coalesce(max(id), 0) FROM events) FROM imports"
                    " WHERE site = ? AND name = ?");
    begin.run(site, name);
    if (connection_.changes() == 0) {
      Statement leaving(connection_, "SELECT 1 FROM undos WHERE site = ? AND name = ?");
      if (leaving.query(site, name).next()) return;
      throw Error{ErrorCode::kImportNotFound, "The site has no such import.", {}};
    }
    Statement remove(connection_, "DELETE FROM imports WHERE site = ? AND name = ?");
    remove.run(site, name);
  });
}

void SqliteImports::forget_site(SiteId site) {
  Statement ranges(connection_,
                   "DELETE FROM import_ranges WHERE import IN (SELECT id FROM imports"
                   " WHERE site = ?1 UNION SELECT import FROM undos WHERE site = ?1)");
  ranges.run(site);
  Statement visits(connection_,
                   "DELETE FROM undo_visits WHERE import IN (SELECT import FROM undos"
                   " WHERE site = ?)");
  visits.run(site);
  for (const auto* table : {"imports", "undos"}) {
    Statement rows(connection_, std::string("DELETE FROM ") + table + " WHERE site = ?");
    rows.run(site);
  }
}

}  // namespace analytics::sqlite
