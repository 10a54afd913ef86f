#pragma once

#include <filesystem>
#include <string>

#include "common/io/fs.h"
#include "common/run/result.h"
#include "common/text/time.h"

namespace analytics::admin {

/// Replaces the database with a backup, which is read from the descriptor. Keeps the former
/// database under another name, without its salts. At every moment either the former or the
/// restored database is complete on disk. Returns the text to print. Errors: kOverloaded if a
/// daemon has the database open; kInternal. Throws StoreUnusable if the backup is not a database of
/// analyticsd. REQUIRES: this process may write to the database's folder.
[[nodiscard]] Result<std::string> restore(const std::filesystem::path& database,
                                          const FileDescriptor& backup, UnixSeconds now);

}  // namespace analytics::admin
