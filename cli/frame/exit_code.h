#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "common/run/result.h"

namespace analytics::cli {

/// Exit codes of `analytics` (man page, EXIT STATUS).
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

/// One exit code, or several with one meaning, as described in help and manual.
struct ExitCodeInfo {
  std::string_view codes;  ///< Codes, such as "8" or "129, 130, 143".
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
    ExitCodeInfo{"6",
                 "conflict: it exists already, must be confirmed, or differs from what the server "
                 "or an earlier run has"},
    ExitCodeInfo{"7", "the service is unavailable after all retries; safe to run again"},
    ExitCodeInfo{"8",
                 "replay rejected records, dropped them as unknown_site, or could not read a file "
                 "to its end; send had its event dropped"},
    ExitCodeInfo{"9",
                 "diff or apply --dry-run found differences, replay check found records that the "
                 "server has not stored, or alerts found a problem"},
    ExitCodeInfo{"10", "output, a checkpoint or a reject file cannot be written"},
    ExitCodeInfo{"129, 130, 143", "ended by HUP, INT, TERM"},
};

/// The reason why a command failed, with the exit code that it causes.
struct Failure {
  ExitCode exit = ExitCode::kUnexpected;
  std::string message;
  std::string code;  ///< Error code of the server or of this program, in snake_case.
  int status = 0;    ///< HTTP status; 0 if the failure does not come from a reply.
  std::string request_id;
  std::vector<std::string> details{};  ///< Details, each printed on its own line below the message.
};

/// A value, or the failure that prevented it. TRY() returns a failure from the calling function.
template <typename T>
using Outcome = tl::expected<T, Failure>;

/// Returns a failure from a function that returns any Outcome.
inline tl::unexpected<Failure> give_up(ExitCode exit, std::string message, std::string code) {
  return tl::unexpected<Failure>(Failure{exit, std::move(message), std::move(code), 0, {}});
}

}  // namespace analytics::cli
