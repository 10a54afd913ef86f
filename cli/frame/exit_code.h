#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

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

/// An exit code, or several that mean the same, as help and the manual say it.
struct ExitCodeInfo {
  std::string_view codes;  ///< "8", "129, 130, 143"
  std::string_view about;
};
inline constexpr std::array kExitCodes = {
    ExitCodeInfo{"0", "done, or already so"},
    ExitCodeInfo{"1", "anything unexpected"},
    ExitCodeInfo{
        "2",
        "incorrect usage, or a request that the server rejects as invalid (400, 413, 415, 422)"},
    ExitCodeInfo{"3", "set-up: settings, key or input file missing or invalid"},
    ExitCodeInfo{"4", "the key is missing, unknown or lacks a permission (401, 403)"},
    ExitCodeInfo{"5", "the named thing does not exist"},
    ExitCodeInfo{"6", "conflict: it exists already, or the server cannot take what was asked"},
    ExitCodeInfo{"7", "the service is unavailable after all retries; safe to run again"},
    ExitCodeInfo{"8",
                 "replay finished, but some records were rejected or dropped as unknown_site; the"
                 " event of send was dropped"},
    ExitCodeInfo{
        "9",
        "differences were found: by diff, apply --dry-run, or replay check, of records that"
        " the server has not stored; alerts found something"},
    ExitCodeInfo{"10", "output, a checkpoint or a reject file cannot be written"},
    ExitCodeInfo{"129, 130, 143", "ended by HUP, INT, TERM"},
};

/// Why a command did not do what it was asked.
struct Failure {
  ExitCode exit = ExitCode::kUnexpected;
  std::string message;
  std::string code;  ///< The server's, or one of ours; snake_case.
  int status = 0;    ///< HTTP; 0 when no answer is to blame.
  std::string request_id;
  std::vector<std::string> details{};  ///< Each on a line of its own, under the message.
};

template <typename T>
using Outcome = tl::expected<T, Failure>;

inline tl::unexpected<Failure> give_up(ExitCode exit, std::string message, std::string code) {
  return tl::unexpected<Failure>(Failure{exit, std::move(message), std::move(code), 0, {}});
}

}  // namespace analytics::cli
