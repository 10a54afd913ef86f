#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/run/result.h"

namespace analytics::admin {

/// Fails if the database belongs to another user, whose daemon could not use the files that this
/// process would create beside it. Errors: kInvalidParameter.
[[nodiscard]] Status check_owner(const std::filesystem::path& database);

/// Makes this process, if it runs as root, switch permanently to the user who owns the database or,
/// if there is no database yet, its folder. Fails if this process runs as another user. Errors:
/// kInvalidParameter, kInternal. REQUIRES: files that only root may open are open already, and no
/// other thread runs.
[[nodiscard]] Status become_owner(const std::filesystem::path& database);

/// Returns the paths of the database, its WAL and its WAL index, whether or not they exist.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const std::filesystem::path& database);

/// Takes away other users' permissions on the database's files, which contain salts, secret links
/// and all events. Returns the files whose permissions changed. Errors: kInternal.
[[nodiscard]] Result<std::vector<std::string>> close_to_others(
    const std::filesystem::path& database);

}  // namespace analytics::admin
