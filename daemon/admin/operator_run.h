#pragma once

#include <filesystem>
#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/admin/operator_command.h"

namespace analytics::admin {

/// Runs a command and returns the text to print. If a daemon has the database open, the daemon runs
/// the command. Otherwise locks the database and runs the command on it directly. So there is never
/// a second writer.
[[nodiscard]] Result<std::string> run_operator(const std::filesystem::path& database,
                                               const OperatorCommand& command, UnixSeconds now);

}  // namespace analytics::admin
