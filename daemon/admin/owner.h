#pragma once

#include <filesystem>

#include "common/result.h"

namespace analytics::admin {

/// Refuses to work on another user's file: it would leave files behind that its daemon cannot use.
[[nodiscard]] Status check_owner(const std::filesystem::path& database);

}  // namespace analytics::admin
