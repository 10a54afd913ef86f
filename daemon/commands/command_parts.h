#pragma once

#include <filesystem>

/// Functions that several commands use. All of them throw AppError with the exit code.
namespace analytics {

/// Makes the process run as the user who owns the database, and prints the database's path to
/// stderr.
void become_owner(const std::filesystem::path& database);
/// Calls become_owner() for an existing database. Fails if the database does not exist, or if
/// another process uses it under another file name.
void open_as_owner(const std::filesystem::path& database);
/// Fails if the database has an older schema. A command must not upgrade it: the daemon does, after
/// copying the file.
void refuse_older(const std::filesystem::path& database);
/// Lowers the scheduling priority of this process, so that a running daemon gets the processor
/// first.
void lower_priority();

}  // namespace analytics
