#pragma once

#include <map>
#include <string>

#include "cli/args.h"
#include "cli/commands/commands.h"
#include "cli/replay/command/replay_command.h"
#include "cli/site_file/site_file_commands.h"
#include "cli/stats/stats_commands.h"

namespace CLI {
class App;
}

/// Describes the commands and their options to CLI11.
namespace analytics::cli {

/// Storage for the options of every command, filled by CLI11.
struct Options {
  Invocation invocation;
  /// Values of the options in setting_options(); the key is the setting's name.
  std::map<std::string, std::string> values;
  /// Settings without a value, such as "insecure"; true if given.
  std::map<std::string, bool> switches;
  SiteOptions site;
  LinkOptions link;
  ExclusionOptions exclusion;
  GoalOptions goal;
  FunnelOptions funnel;
  ImportOptions import;
  ApplyOptions apply;
  ExportSitesOptions exporting_sites;
  EventsOptions events;
  ExportOptions exporting;
  StatsOptions stats;
  ReportOptions report;
  AlertsOptions alerts;
  WatchOptions watch;
  SendOptions send;
  ReplayOptions replay;
  std::string topic;
};

/// Returns the options that set a setting; the key is the option, such as "--server", the value the
/// setting's name in Flags, such as "url".
[[nodiscard]] const std::map<std::string, std::string>& setting_options();

/// Adds all commands. REQUIRES: `options` outlives `root`.
void add_commands(CLI::App& root, Options& options);

}  // namespace analytics::cli
