#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "common/result.h"
#include "daemon/admin/keys.h"
#include "daemon/store/backend.h"

namespace analytics::admin {

using OpenBackend = std::function<std::unique_ptr<store::Backend>(const std::filesystem::path&)>;

/// Runs a `keys` command: through the daemon that holds the file, or, when none does, on the file
/// itself under its lock. Never a second writer. Returns what to print.
[[nodiscard]] Result<std::string> run_keys(const std::filesystem::path& database,
                                           const KeyCommand& command, const OpenBackend& open,
                                           UnixSeconds now);

}  // namespace analytics::admin
