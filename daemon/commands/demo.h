#pragma once

#include <csignal>

namespace analytics {

/// Serves a new, temporary database with events of an invented site, prints where to look, waits
/// for one of `signals`, and removes everything. Returns the exit code. Throws AppError. REQUIRES:
/// the signals are blocked.
[[nodiscard]] int run_demo(const sigset_t& signals);

}  // namespace analytics
