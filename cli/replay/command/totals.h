#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"
#include "cli/replay/command/replay_command.h"

namespace analytics::cli {

/// Imports the totals of reports. Repeated runs store each total once, because the server knows
/// which bytes it has stored.
[[nodiscard]] Outcome<ExitCode> replay_totals(const ReplayOptions& options, Context& context);

}  // namespace analytics::cli
