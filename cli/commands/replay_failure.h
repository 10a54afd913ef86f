#pragma once

#include "cli/frame/exit_code.h"
#include "cli/replay/session.h"

namespace analytics::cli {

/// What ended a replay, as a command's failure.
[[nodiscard]] Failure to_failure(const SessionProblem& problem);

}  // namespace analytics::cli
