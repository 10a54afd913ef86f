#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "common/run/result.h"

namespace analytics {

/// The exit codes of `analyticsd`; analyticsd(8) has the same list.
enum class ExitCode {
  kOk = 0,
  kRuntime = 1,
  kUsage = 2,
  kConfig = 3,
  kHeld = 4,
  kUnusable = 5,
  kBind = 6
};
inline constexpr std::array<std::string_view, 7> kExitCodes = {
    "done",
    "a runtime error",
    "wrong use",
    "the settings are wrong",
    "the database is held by another process",
    "the database is damaged, belongs to another program, or was written by a newer version",
    "an address cannot be bound",
};

/// Error that ends the process, with its exit code.
struct AppError : std::runtime_error {
  AppError(ExitCode exit, const std::string& message) : std::runtime_error(message), code(exit) {}
  ExitCode code;
};

/// Returns the exit code for an error.
[[nodiscard]] ExitCode exit_of(const Error& error);

/// Returns the value of a result, or throws its error as an AppError.
template <typename T>
T value_or_throw(Result<T> result) {
  if (!result) throw AppError(exit_of(result.error()), result.error().reason());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace analytics
