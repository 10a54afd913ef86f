#pragma once

#include <functional>
#include <string>

namespace analytics::admin {

/// Exit code and output of a child process.
struct ChildOutput {
  int exit = 0;  ///< 128 + signal if a signal ended it.
  std::string text;
};

/// Runs `work` in a child process and waits for it. `work` returns an exit code and sets `text` to
/// its output; it may change its user for good, while this process keeps its own. Passes on SIGINT,
/// SIGTERM and SIGHUP, which must be blocked. Throws std::system_error. REQUIRES: no other thread
/// runs.
[[nodiscard]] ChildOutput run_in_child(const std::function<int(std::string& text)>& work);

}  // namespace analytics::admin
