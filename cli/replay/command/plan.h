#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"
#include "cli/replay/command/replay_command.h"
#include "cli/replay/input/input.h"
#include "cli/replay/progress/checkpoints.h"
#include "cli/replay/progress/rejects.h"
#include "cli/replay/send/pacer.h"

/// The plan of a replay, derived from its options before a file is opened or the server is asked.
namespace analytics::cli {

struct ReplayPlan {
  ErrorLimit max_errors;
  double rate = 0;        ///< Most records a second; 0: no limit.
  std::size_t batch = 0;  ///< Records per request; 0: each record in a request of its own.
  Pacer::Config pace;
  InputConfig input;
  CheckpointConfig checkpoint;
  std::string sites;  ///< Site of all records; empty: each record names its own.
  std::string log;    ///< Import of a followed log with all its rotations; empty: no followed log.
  bool dedupe_ids = false;
};

/// Replaces each folder, and each archive of events, with the files in it. Includes subfolders but
/// no hidden files; files are in the order of their names. Failures: kSetup for a folder or archive
/// that has no files or cannot be read.
[[nodiscard]] Outcome<ReplayOptions> with_files_of_folders(ReplayOptions options);

/// Checks the options and returns the plan. Failures: kUsage.
[[nodiscard]] Outcome<ReplayPlan> plan_replay(const ReplayOptions& options, const Context& context);

}  // namespace analytics::cli
