#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/io/file_lock.h"
#include "common/io/log.h"
#include "common/text/time.h"
#include "daemon/app/upgrade.h"
#include "daemon/config/config.h"
#include "daemon/store/backend.h"

namespace analytics {

// The steps before the daemon serves a database, in this order. Each throws AppError with the
// program's exit code.

/// Creates the folder of the database, refuses a place where data could be lost and a file of
/// another user, and takes the lock.
[[nodiscard]] FileLock lock_database(const Config& config);

/// Makes the database's files private. Returns the names of files that other users could read.
[[nodiscard]] std::vector<std::string> correct_rights(const Config& config);

[[nodiscard]] Upgrade prepare_upgrade(const Config& config, const Clock& clock, Log& log);

[[nodiscard]] std::unique_ptr<store::Backend> open_store(const Config& config);

}  // namespace analytics
