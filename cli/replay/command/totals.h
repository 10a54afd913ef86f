#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"
#include "cli/replay/command/replay_command.h"

namespace analytics::cli {

/// Imports daily totals from reports of other services. Repeated runs store each total once,
/// because the server remembers which bytes of a report it has stored.
[[nodiscard]] Outcome<ExitCode> replay_totals(const ReplayOptions& options, Context& context);

}  // namespace analytics::cli
