#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/io/file_lock.h"
#include "common/io/log.h"
#include "common/text/time.h"
#include "daemon/app/upgrade.h"
#include "daemon/config/config.h"
#include "daemon/store/sqlite/backend.h"

namespace analytics {

// The steps to open a database for the daemon, in this order. Each throws AppError with the
// program's exit code.

/// Creates the folder of the database and locks the database. Refuses a path where data could be
/// lost, such as a network disk, and another user's file.
[[nodiscard]] FileLock lock_database(const Config& config);

/// Takes away other users' permissions on the database's files. Returns the names of the files
/// whose permissions changed.
[[nodiscard]] std::vector<std::string> correct_rights(const Config& config);

/// Copies a database with an older schema before open_store() upgrades it; see Upgrade.
[[nodiscard]] Upgrade prepare_upgrade(const Config& config, const Clock& clock, Log& log);

/// Opens or creates the database. Refuses one whose part in a cluster does not fit the settings.
[[nodiscard]] std::unique_ptr<sqlite::Backend> open_store(const Config& config);

}  // namespace analytics
