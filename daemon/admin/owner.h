#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/result.h"

namespace analytics::admin {

/// Refuses to serve another user's file: what the daemon writes beside it would be of no use to
/// that user's.
[[nodiscard]] Status check_owner(const std::filesystem::path& database);

/// Makes this process one that may work on a database: root becomes the user whom the file belongs
/// to or, if there is none, its folder, and has no way back. Anybody else is refused. REQUIRES:
/// what only root may open is open, and no other thread runs.
[[nodiscard]] Status become_owner(const std::filesystem::path& database);

/// Returns the database, its log and the log's index, whether they are there or not.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const std::filesystem::path& database);

/// Takes all rights of others from the files of a database, which hold salts, links' tokens and all
/// events. Returns those that others had some of. Errors: kInternal.
[[nodiscard]] Result<std::vector<std::string>> close_to_others(
    const std::filesystem::path& database);

}  // namespace analytics::admin
