#pragma once

#include <string>

#include <tl/expected.hpp>

namespace analytics::cli {

/// How `analytics` ends (man page, EXIT STATUS).
enum class ExitCode {
  kOk = 0,
  kUnexpected = 1,
  kUsage = 2,
  kSetup = 3,
  kAuth = 4,
  kNotFound = 5,
  kConflict = 6,
  kUnavailable = 7,
  kPartial = 8,
  kDifferent = 9,
  kOutput = 10,
  kHangup = 129,
  kInterrupted = 130,
  kTerminated = 143,
};

/// Why a command did not do what it was asked.
struct Failure {
  ExitCode exit = ExitCode::kUnexpected;
  std::string message;
  std::string code;  ///< The server's, or one of ours; snake_case.
  int status = 0;    ///< HTTP; 0 when no answer is to blame.
  std::string request_id;
};

template <typename T>
using Outcome = tl::expected<T, Failure>;

inline tl::unexpected<Failure> give_up(ExitCode exit, std::string message, std::string code) {
  return tl::unexpected<Failure>(Failure{exit, std::move(message), std::move(code), 0, {}});
}

}  // namespace analytics::cli
