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
  admin::OperatorCommand operation;  ///< For kOperate. Other commands only use its `is_json`.
  std::filesystem::path key_file;    ///< New file to which a new key is written; empty: stdout.
  bool init = false;                 ///< For kOperate: create the database if it is missing.
  bool check_config = false;         ///< For kServe: only validate the settings.
  /// For kBackup: a file, a folder or "-"; for kRestore: a file or "-".
  std::filesystem::path backup;
  bool with_salts = false;    ///< For kBackup: keep the salts in the copy.
  std::string rotation;       ///< For kBackup: text for admin::parse_rotation(); empty: keep all.
  store::CheckScope check{};  ///< For kCheck: how much to check.
  std::string node;           ///< For kClusterRemove: name of the node.
  bool repair = false;        ///< For kClusterCheck: also repair the differences.
};

/// Result of parsing a command line. If the parser printed help, the version or an error, there are
/// no arguments, only an exit code.
struct ParsedArguments {
  std::optional<Arguments> arguments;
  ExitCode exit = ExitCode::kOk;
};
[[nodiscard]] ParsedArguments parse_arguments(int argc, char** argv);

/// Adds all commands and options, which fill `arguments`. Both parameters must outlive the parsing.
void add_commands(CLI::App& app, Arguments& arguments);

}  // namespace analytics
