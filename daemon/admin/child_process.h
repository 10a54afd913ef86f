#pragma once

#include <functional>
#include <string>

namespace analytics::admin {

/// How a child ended, and what it wrote.
struct ChildOutput {
  int exit = 0;  ///< 128 + signal if a signal ended it.
  std::string text;
};

/// Runs `work` in a child process and waits for it. `work` returns an exit code and gives its
/// output as text; it may become another user without a way back, while this process stays what it
/// is. SIGINT, SIGTERM and SIGHUP, which must be blocked, are passed on. Throws std::system_error.
/// REQUIRES: no other thread runs.
[[nodiscard]] ChildOutput run_in_child(const std::function<int(std::string& text)>& work);

}  // namespace analytics::admin
