#pragma once

#include "cli/frame/exit_code.h"
#include "cli/replay/session.h"

namespace analytics::cli {

/// Converts the problem that ended a replay into the command's failure, with its exit code.
[[nodiscard]] Failure to_failure(const SessionProblem& problem);

}  // namespace analytics::cli
