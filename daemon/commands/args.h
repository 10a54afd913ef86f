#pragma once

#include <optional>

#include "daemon/admin/operator_command.h"
#include "daemon/commands/setup.h"
#include "daemon/config/config.h"
#include "daemon/config/exit_code.h"
#include "daemon/store/upkeep.h"

namespace CLI {
class App;
}

namespace analytics {

/// The parsed command line of `analyticsd`.
struct Arguments {
  enum class Command {
    kServe,
    kOperate,  ///< A command on keys, accounts or sites, which `operation` describes.
    kCompact,
    kBackup,
    kRestore,
    kCheck,
    kDoctor,
    kDemo,
    kSetup,
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
  /// The command of kOperate; other commands use only its `is_json`.
  admin::OperatorCommand operation;
  std::filesystem::path key_file;  ///< --out: new file for a new API key; empty for stdout.
  bool init = false;               ///< --init of kOperate: create the database if it is missing.
  bool check_config = false;       ///< --check-config of kServe: only validate the settings.
  /// For kBackup: file or folder to write to, or "-" for stdout. For kRestore: file to read, or "-"
  /// for stdin.
  std::filesystem::path backup;
  bool with_salts = false;    ///< --keep-salts of kBackup: the copy keeps the salts.
  std::string rotation;       ///< --rotate of kBackup, such as 7d,4w,6m; empty keeps all backups.
  store::CheckScope check{};  ///< For kCheck: how much to check.
  std::string node;           ///< For kClusterRemove: name of the node to remove.
  SetupAnswers setup;         ///< For kSetup: answers given on the command line.
  bool repair = false;        ///< --repair of kClusterCheck: also repair the differences.
};

/// Result of parsing a command line.
struct ParsedArguments {
  /// nullopt if the parser has printed help, the version or an error; the program then ends.
  std::optional<Arguments> arguments;
  ExitCode exit = ExitCode::kOk;  ///< Exit code if there are no arguments.
};
[[nodiscard]] ParsedArguments parse_arguments(int argc, char** argv);

/// Adds all commands and options to `app`. Parsing stores their values in `arguments`, so both must
/// outlive it.
void add_commands(CLI::App& app, Arguments& arguments);

}  // namespace analytics
