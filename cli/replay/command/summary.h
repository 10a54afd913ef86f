#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"
#include "cli/replay/progress/accounting.h"
#include "common/wire/caveats.h"

namespace analytics::cli {

/// The summary that a replay prints at its end.
struct ReplaySummary {
  std::vector<std::string> imports;  ///< Names of the imports; empty if no batches were sent.
  std::vector<std::string> files;
  Accounts all;       ///< Counts of this run and of earlier, interrupted runs.
  Accounts this_run;  ///< Counts of this run, with attempts and retries.
  const Latencies& latencies;
  std::chrono::duration<double> time{};
  /// Checkpoint file, or the folder of checkpoints; empty if nothing is saved.
  std::string checkpoint;
  std::string rejects;  ///< Path of the reject file; empty if none is written.
  bool complete = false;
  std::string resume;  ///< Command that continues the replay; empty if nothing is left to do.
  /// Days with imported events that arrived too late to recognise their visitors, and the number
  /// of such events on each day.
  std::vector<Caveats::LostDay> late_days{};
  ExitCode exit = ExitCode::kOk;
};

void print_summary(const ReplaySummary& summary, Context& context);

}  // namespace analytics::cli
