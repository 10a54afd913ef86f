#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "common/run/result.h"
#include "daemon/admin/operator_command.h"
#include "daemon/store/backend.h"

namespace analytics::admin {

using OpenBackend = std::function<std::unique_ptr<store::Backend>(const std::filesystem::path&)>;

/// Runs a command through the daemon that has the database open. If no daemon runs, locks the file
/// and runs the command on it directly, so that there is never a second writer. Returns the output.
[[nodiscard]] Result<std::string> run_operator(const std::filesystem::path& database,
                                               const OperatorCommand& command,
                                               const OpenBackend& open, UnixSeconds now);

}  // namespace analytics::admin
