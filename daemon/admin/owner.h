#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/result.h"

namespace analytics::admin {

/// Refuses to work on another user's file: it would leave files behind that its daemon cannot use.
[[nodiscard]] Status check_owner(const std::filesystem::path& database);

/// Takes all rights of others from the files of a database, which hold salts, links' tokens and all
/// events. Returns those that others had some of. Errors: kInternal.
[[nodiscard]] Result<std::vector<std::string>> close_to_others(
    const std::filesystem::path& database);

}  // namespace analytics::admin
