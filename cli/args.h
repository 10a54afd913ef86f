#pragma once

#include <functional>
#include <iosfwd>
#include <optional>

#include "cli/commands/commands.h"

namespace analytics::cli {

/// A parsed command line.
struct Invocation {
  Flags flags;  ///< Settings given as options.
  bool quiet = false;
  bool verbose = false;
  bool debug_http = false;
  bool dry_run = false;
  /// The form that this command alone takes, with `-o`.
  std::optional<OutputForm> own_form{};
  bool needs_settings = true;  ///< Help does not: it must work when they are what is wrong.
  std::function<Outcome<ExitCode>(Context&)> command;
};

/// Prints help, version or what is wrong itself; then there is no invocation, only an exit code.
struct ParsedArguments {
  std::optional<Invocation> invocation;
  ExitCode exit = ExitCode::kOk;
};
[[nodiscard]] ParsedArguments parse_arguments(int argc, const char* const* argv, std::ostream& out,
                                              std::ostream& err);

}  // namespace analytics::cli
