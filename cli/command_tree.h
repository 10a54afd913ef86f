#pragma once

#include <map>
#include <string>

#include "cli/args.h"
#include "cli/commands/commands.h"

namespace CLI {
class App;
}

/// The commands and their options as CLI11 sees them.
namespace analytics::cli {

/// Options of every command, kept while CLI11 fills them.
struct Options {
  Invocation invocation;
  std::map<std::string, std::string> values;
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

/// The options that give a setting, "--server", and its name in Flags, "url".
[[nodiscard]] const std::map<std::string, std::string>& setting_options();

/// REQUIRES: `options` outlives `root`.
void add_commands(CLI::App& root, Options& options);

}  // namespace analytics::cli
