#pragma once

#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

/// The commands `stats`, `report` and `watch`.
namespace analytics::cli {

struct StatsOptions {
  std::string site;     ///< Domain; empty for a table of all sites.
  std::string by;       ///< Property, or time, hour, day, week, month; empty for an overview.
  std::string metrics;  ///< Metrics, separated by commas; empty for the default ones.
  std::vector<std::string> filters;  ///< Filters such as "page==/blog/**"; all must match.
  std::string period;
  std::string date;
  /// Period to compare with: previous, year, FROM,TO or none. Empty means previous, but none for a
  /// table or for all time.
  std::string compare;
  int limit = 0;  ///< Maximum number of rows to print; 0 for the default.
};
Outcome<ExitCode> show_stats(const StatsOptions&, Context&);
/// Prints a line for each site of the account.
Outcome<ExitCode> show_all_sites(Context&);

/// Options of `report`, which prints a report for mail.
struct ReportOptions {
  std::string site;  ///< The site's domain; empty if `all` is set.
  bool all = false;  ///< True to report on all sites of the key.
  std::string period = "7d";
  std::string link;  ///< Name of the shared link that the report leads to; empty for none.
};
Outcome<ExitCode> show_report(const ReportOptions&, Context&);

struct WatchOptions {
  std::string site;
  std::string every = "5s";
  bool once = false;
};
/// Redraws a site's last half hour until a signal arrives. Without a terminal, draws it only once.
Outcome<ExitCode> watch_site(const WatchOptions&, Context&);

}  // namespace analytics::cli
