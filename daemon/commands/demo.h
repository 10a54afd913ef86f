#pragma once

#include <csignal>

namespace analytics {

/// Implements `analyticsd demo`: runs the daemon on a temporary database with events of an invented
/// site and prints the address of its page. Removes everything after one of `signals`. Returns the
/// exit code. Throws AppError. REQUIRES: the signals are blocked.
[[nodiscard]] int run_demo(const sigset_t& signals);

}  // namespace analytics
