#pragma once

#include <span>

#include "daemon/store/sqlite/dictionary.h"
#include "daemon/store/sqlite/totals_table.h"
#include "daemon/totals/imported_total.h"

namespace analytics::sqlite {

/// Stores totals of an import, which count from then on, and their days. Inside the writer's
/// transaction; throws SqliteError. REQUIRES: there are some.
void store_imported(std::span<const totals::ImportedTotal> imported, SiteId site, ImportId import,
                    TotalsTable& table, Dictionary& dictionary);

}  // namespace analytics::sqlite
