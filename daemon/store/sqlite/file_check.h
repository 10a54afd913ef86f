#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/upkeep.h"

namespace analytics::sqlite {

/// Callback that receives a sentence for each problem found.
using Found = std::function<void(const std::string& problem)>;

/// Reads every database page and every column of parts, compares checksums, and checks salts and
/// funnels. If the file has an older schema, reads only the pages. Throws SqliteError.
void check_quickly(Connection& connection, const Found& found);

/// Checks a store and calls `found` for each problem: checks pages, parts, rows and daily totals,
/// and, for some days, that visits match their events. Returns the domains of sites that were not
/// recounted because their events are being removed or sealed. Errors and exceptions: as
/// write_copy(); kSiteNotFound.
[[nodiscard]] Result<std::vector<std::string>> check_file(const std::filesystem::path& database,
                                                          const store::CheckScope& scope,
                                                          const Found& found);

}  // namespace analytics::sqlite
