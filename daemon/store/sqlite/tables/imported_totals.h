#pragma once

#include <span>

#include "daemon/store/sqlite/tables/dictionary.h"
#include "daemon/store/sqlite/tables/totals_table.h"
#include "daemon/totals/imported_total.h"

namespace analytics::sqlite {

/// Stores the daily totals of an import, and which days they cover. Queries see them at once. Used
/// inside the writer's transaction; throws SqliteError. REQUIRES: `imported` is not empty.
void store_imported(std::span<const totals::ImportedTotal> imported, SiteId site, ImportId import,
                    TotalsTable& table, Dictionary& dictionary);

}  // namespace analytics::sqlite
