#pragma once

#include <functional>

#include "daemon/args.h"
#include "daemon/config.h"

namespace analytics {

/// Runs a subcommand other than serve and returns its exit code. Throws AppError, StoreUnusable and
/// whatever else. REQUIRES: SIGINT, SIGTERM and SIGHUP are blocked, and no other thread runs.
[[nodiscard]] int run_command(const Config& config, const Arguments& arguments);

/// Returns what `work` returns, or the exit code of what it throws, which is then said on stderr.
[[nodiscard]] int report_errors(const std::function<int()>& work);

}  // namespace analytics
