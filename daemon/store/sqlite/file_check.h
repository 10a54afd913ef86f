#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/upkeep.h"

namespace analytics::sqlite {

/// Receives a sentence for each problem.
using Found = std::function<void(const std::string& problem)>;

/// Reads every page and column, compares checksums, and reads salts and funnels. Of a file with
/// an older schema, reads only pages. Throws SqliteError.
void check_quickly(Connection& connection, const Found& found);

/// Implements store::Upkeep::check(): checks pages, parts, rows, daily totals and, for some days,
/// that visits match their events.
[[nodiscard]] Result<std::vector<std::string>> check_file(const std::filesystem::path& database,
                                                          const store::CheckScope& scope,
                                                          const Found& found);

}  // namespace analytics::sqlite
