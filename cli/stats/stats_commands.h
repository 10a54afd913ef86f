#pragma once

#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

/// The commands `stats`, `report` and `watch`.
namespace analytics::cli {

struct StatsOptions {
  std::string site;                  ///< Domain; empty: a table of all sites.
  std::string by;                    ///< Property, or time, hour, day, month; empty: an overview.
  std::string metrics;               ///< Metrics, separated by commas.
  std::vector<std::string> filters;  ///< Such as "page==/blog/**"; all must match.
  std::string period;
  std::string date;
  std::string compare;  ///< previous, year, FROM,TO or none; empty: previous, but none for a table.
  int limit = 0;        ///< Most rows; 0: the usual number.
};
Outcome<ExitCode> show_stats(const StatsOptions&, Context&);
/// Prints a line for each site of the account.
Outcome<ExitCode> show_all_sites(Context&);

/// Options of `report`, which prints a report for mail.
struct ReportOptions {
  std::string site;  ///< One site, unless all.
  bool all = false;  ///< All sites of the key.
  std::string period = "7d";
  std::string link;  ///< Name of the shared link that the report contains; empty: no link.
};
Outcome<ExitCode> show_report(const ReportOptions&, Context&);

struct WatchOptions {
  std::string site;
  std::string every = "5s";
  bool once = false;
};
/// Returns after a signal. Without a terminal, returns after the first picture.
Outcome<ExitCode> watch_site(const WatchOptions&, Context&);

}  // namespace analytics::cli
