#pragma once

#include <functional>
#include <string>

#include "daemon/commands/args.h"
#include "daemon/config/config.h"

namespace analytics {

/// Runs a subcommand other than serve and returns its exit code. Throws AppError, StoreUnusable and
/// other exceptions. REQUIRES: SIGINT, SIGTERM and SIGHUP are blocked, and no other thread runs.
[[nodiscard]] int run_command(const Config& config, const Arguments& arguments);

/// Runs a command on keys, accounts or sites: through the daemon that has the database open or, if
/// none runs, directly on the file. Returns the text to print. REQUIRES: the process runs as the
/// database's owner.
[[nodiscard]] Result<std::string> operate_on(const Config& config,
                                             const admin::OperatorCommand& command);

/// Calls `work` and returns its exit code. If `work` throws, prints the error to stderr and returns
/// the exit code for that error.
[[nodiscard]] int report_errors(const std::function<int()>& work);

}  // namespace analytics
