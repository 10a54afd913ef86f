#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/run/result.h"

namespace analytics::admin {

/// Rejects another user's database, because that user's daemon could not use the files that this
/// process would create beside it.
[[nodiscard]] Status check_owner(const std::filesystem::path& database);

/// Prepares this process for work on a database. Root becomes the user who owns the file or, if it
/// does not exist, its folder, and cannot change back. Rejects any other user. REQUIRES: files that
/// only root may open are open already, and no other thread runs.
[[nodiscard]] Status become_owner(const std::filesystem::path& database);

/// Returns the paths of the database, its WAL and the WAL's index, even if they do not exist.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const std::filesystem::path& database);

/// Removes all rights of other users from the files of a database, which contain salts, links'
/// tokens and all events. Returns the files whose rights changed. Errors: kInternal.
[[nodiscard]] Result<std::vector<std::string>> close_to_others(
    const std::filesystem::path& database);

}  // namespace analytics::admin
