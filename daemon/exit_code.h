#pragma once

#include <stdexcept>
#include <string>

namespace analytics {

/// The exit codes of `analyticsd`, as in analyticsd(8).
enum class ExitCode {
  kOk = 0,
  kRuntime = 1,
  kUsage = 2,
  kConfig = 3,
  kHeld = 4,
  kUnusable = 5,
  kBind = 6
};

/// Why it cannot go on, and how it ends.
struct AppError : std::runtime_error {
  AppError(ExitCode exit, const std::string& message) : std::runtime_error(message), code(exit) {}
  ExitCode code;
};

}  // namespace analytics
