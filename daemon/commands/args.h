#pragma once

#include <optional>

#include "daemon/admin/operator_command.h"
#include "daemon/config/config.h"
#include "daemon/config/exit_code.h"
#include "daemon/store/upkeep.h"

namespace CLI {
class App;
}

namespace analytics {

/// A parsed command line.
struct Arguments {
  enum class Command {
    kServe,
    kOperate,
    kCompact,
    kBackup,
    kRestore,
    kCheck,
    kDoctor,
    kDemo,
    kClusterCheck,
    kClusterStatus,
    kClusterLeave,
    kClusterAcceptRegistry,
    kClusterRemove,
    kClusterAdopt,
    kClusterUpgrade
  };
  Command command = Command::kServe;
  ConfigOverrides overrides;
  admin::OperatorCommand operation;  ///< For kOperate.
  std::filesystem::path key_file;    ///< The file for a new key; empty: stdout.
  bool init = false;                 ///< Create the database if it is missing.
  bool check_config = false;         ///< For kServe: only validate the settings.
  std::filesystem::path backup;      ///< For kBackup and kRestore: a file, a folder, or "-".
  bool with_salts = false;           ///< For kBackup.
  std::string rotation;              ///< For kBackup: see admin::parse_rotation(); may be empty.
  store::CheckScope check{};         ///< For kCheck.
  std::string node;                  ///< For kClusterRemove.
  bool repair = false;               ///< For kClusterCheck.
};

/// Result of parsing a command line. If the parser printed help, the version or an error, there are
/// no arguments, only an exit code.
struct ParsedArguments {
  std::optional<Arguments> arguments;
  ExitCode exit = ExitCode::kOk;
};
[[nodiscard]] ParsedArguments parse_arguments(int argc, char** argv);

/// Adds all commands and options, which fill `arguments`. Both must outlive the parsing.
void add_commands(CLI::App& app, Arguments& arguments);

}  // namespace analytics
