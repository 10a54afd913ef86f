#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/upkeep.h"

namespace analytics::sqlite {

/// Takes a sentence for each thing that is wrong.
using Found = std::function<void(const std::string& problem)>;

/// Reads every page; unless `quick`, also compares indexes with their tables. Throws SqliteError.
void check_pages(Connection& connection, bool quick, const Found& found);

/// The part of store::Upkeep that checks a store: pages, parts and, of some days, whether visits
/// are what their events make.
[[nodiscard]] Status check_file(const std::filesystem::path& database,
                                const store::CheckScope& scope, const Found& found);

}  // namespace analytics::sqlite
