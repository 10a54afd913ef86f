#pragma once

#include <functional>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"
#include "cli/frame/signals.h"
#include "cli/replay/input/input.h"

namespace analytics::cli {

/// Reads all input and prints a summary of the events that a replay would send, the first events,
/// and an estimate of the time at `rate` records per second (0 for no limit). Calls `refuse` for
/// each record that cannot be an event.
[[nodiscard]] Outcome<ExitCode> dry_run(
    ReplayInput& input, SignalWatch& signals, double rate, Context& context,
    const std::function<void(const Record&, const Error&)>& refuse);

}  // namespace analytics::cli
