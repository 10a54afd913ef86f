#pragma once

#include <filesystem>
#include <string>

#include "common/fs.h"
#include "common/result.h"
#include "common/time.h"
#include "daemon/store/upkeep.h"

namespace analytics::admin {

/// Puts a backup in the place of a database, under its lock, and the former one aside, without its
/// salts. At every moment there is one of the two, whole. Returns what to print. Errors:
/// kOverloaded when a daemon has the database; kInternal. Throws StoreUnusable if the backup is no
/// store. REQUIRES: this process may write to the folder.
[[nodiscard]] Result<std::string> restore(const std::filesystem::path& database,
                                          const FileDescriptor& backup, const store::Upkeep& upkeep,
                                          UnixSeconds now);

}  // namespace analytics::admin
