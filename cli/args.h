#pragma once

#include <functional>
#include <iosfwd>
#include <optional>

#include "cli/commands/commands.h"

namespace analytics::cli {

/// A parsed command line.
struct Invocation {
  Flags flags;  ///< Settings given as command-line options.
  bool quiet = false;
  bool verbose = false;
  bool debug_http = false;
  bool dry_run = false;
  /// Output form that `-o` accepts for this command only.
  std::optional<OutputForm> own_form{};
  bool needs_settings = true;  ///< False for help, which must work with invalid settings.
  std::function<Outcome<ExitCode>(Context&)> command;
};

/// Result of parse_arguments(). If it has printed help, the version or an error, there is only an
/// exit code and no invocation.
struct ParsedArguments {
  std::optional<Invocation> invocation;
  ExitCode exit = ExitCode::kOk;
};
[[nodiscard]] ParsedArguments parse_arguments(int argc, const char* const* argv, std::ostream& out,
                                              std::ostream& err);

}  // namespace analytics::cli
