#pragma once

#include <functional>
#include <string>

namespace analytics::admin {

/// Result of run_in_child().
struct ChildOutput {
  /// Exit code of the child process, or 128 + the number of the signal that ended it.
  int exit = 0;
  std::string text;  ///< Text that `work` has set in the child process.
};

/// Runs `work` in a forked child process and waits for it. `work` returns the exit code and sets
/// `text`; it may switch permanently to another user, which does not affect this process. Forwards
/// SIGINT, SIGTERM and SIGHUP to the child. Throws std::system_error. REQUIRES: these signals are
/// blocked, and no other thread runs.
[[nodiscard]] ChildOutput run_in_child(const std::function<int(std::string& text)>& work);

}  // namespace analytics::admin
