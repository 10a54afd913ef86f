#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "common/run/result.h"

namespace analytics {

/// Exit codes of `analyticsd`, as in the manual page analyticsd(8).
enum class ExitCode {
  kOk = 0,
  kRuntime = 1,
  kUsage = 2,
  kConfig = 3,
  kHeld = 4,
  kUnusable = 5,
  kBind = 6
};
/// Meaning of each exit code, by its number.
inline constexpr std::array<std::string_view, 7> kExitCodes = {
    "done",
    "a runtime error",
    "wrong use",
    "the settings are wrong",
    "the database is held by another process",
    "the database is damaged, belongs to another program, or was written by a newer version",
    "an address cannot be bound",
};

/// An error that ends the process with an exit code, after its message is printed.
struct AppError : std::runtime_error {
  AppError(ExitCode exit, const std::string& message) : std::runtime_error(message), code(exit) {}
  ExitCode code;
};

/// Returns the exit code of a command that fails with this error.
[[nodiscard]] ExitCode exit_of(const Error& error);

/// Returns the value of `result`. Throws AppError if it is an error.
template <typename T>
T value_or_throw(Result<T> result) {
  if (!result) throw AppError(exit_of(result.error()), result.error().reason());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace analytics
