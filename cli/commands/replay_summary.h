#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"
#include "cli/replay/progress/accounting.h"
#include "common/caveats.h"

namespace analytics::cli {

/// The summary that a replay prints at its end.
struct ReplaySummary {
  std::vector<std::string> imports;  ///< Their names on the server; none: one by one.
  std::vector<std::string> files;
  Accounts all;       ///< The counts of all runs.
  Accounts this_run;  ///< With the attempts and retries.
  const Latencies& latencies;
  std::chrono::duration<double> time{};
  std::string checkpoint;  ///< Empty: none.
  std::string rejects;     ///< Path of the reject file; empty: none.
  bool complete = false;
  std::string resume;  ///< The command that goes on; empty: there is none.
  /// Days of which events came when their visitors could not be recognised any more.
  std::vector<Caveats::LostDay> late_days{};
  ExitCode exit = ExitCode::kOk;
};

void print_summary(const ReplaySummary& summary, Context& context);

}  // namespace analytics::cli
