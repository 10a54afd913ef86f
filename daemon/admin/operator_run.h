#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "common/run/result.h"
#include "daemon/admin/operator_command.h"
#include "daemon/store/backend.h"

namespace analytics::admin {

/// Opens the store at this path.
using OpenBackend = std::function<std::unique_ptr<store::Backend>(const std::filesystem::path&)>;

/// Runs a command and returns the text to print. If a daemon has the database open, the daemon runs
/// it. Otherwise locks the database and runs the command on it directly. So there is never a second
/// writer.
[[nodiscard]] Result<std::string> run_operator(const std::filesystem::path& database,
                                               const OperatorCommand& command,
                                               const OpenBackend& open, UnixSeconds now);

}  // namespace analytics::admin
