#pragma once

#include <filesystem>

#include "daemon/store/upkeep.h"

/// Functions that several commands use. All throw AppError with the exit code.
namespace analytics {

[[nodiscard]] const store::Upkeep& upkeep();

/// Makes the process run as the user who owns the database, and prints the database's path.
void become_owner(const std::filesystem::path& database);
/// Calls become_owner(). Rejects a database that does not exist, or that a process uses under
/// another name.
void open_as_owner(const std::filesystem::path& database);
/// Rejects a database with an older schema. Only the daemon upgrades it, because the daemon logs
/// the upgrade and copies the file first.
void refuse_older(const std::filesystem::path& database);
/// Lowers the priority of this process, so that a running daemon gets the processor first.
void lower_priority();

}  // namespace analytics
