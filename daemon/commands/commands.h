#pragma once

#include <functional>
#include <string>

#include "daemon/commands/args.h"
#include "daemon/config/config.h"

namespace analytics {

/// Runs a subcommand other than serve and returns its exit code. Throws AppError, StoreUnusable and
/// other exceptions. REQUIRES: SIGINT, SIGTERM and SIGHUP are blocked, and no other thread runs.
[[nodiscard]] int run_command(const Config& config, const Arguments& arguments);

/// Runs an operator's command on the database of the settings, through the running daemon or, if
/// none runs, directly. Returns the text to print. REQUIRES: the process is the database's owner.
[[nodiscard]] Result<std::string> operate_on(const Config& config,
                                             const admin::OperatorCommand& command);

/// Returns the result of `work`. If it throws, prints the error to stderr and returns its exit
/// code.
[[nodiscard]] int report_errors(const std::function<int()>& work);

}  // namespace analytics
