#pragma once

#include <optional>

#include "daemon/admin/operator_command.h"
#include "daemon/config.h"
#include "daemon/exit_code.h"

namespace analytics {

/// A parsed command line.
struct Arguments {
  enum class Command { kServe, kOperate, kCompact };
  Command command = Command::kServe;
  ConfigOverrides overrides;
  admin::OperatorCommand operation;  ///< For kOperate.
  std::filesystem::path key_file;    ///< The file for a new key; empty: stdout.
  bool init = false;                 ///< Make the database if it is not there.
};

/// Prints help, version or what is wrong itself; then there are no arguments, only an exit code.
struct ParsedArguments {
  std::optional<Arguments> arguments;
  ExitCode exit = ExitCode::kOk;
};
[[nodiscard]] ParsedArguments parse_arguments(int argc, char** argv);

}  // namespace analytics
