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

/// Plans a replay: checks and converts its options before the replay opens files or asks the
/// server.
namespace analytics::cli {

struct ReplayPlan {
  ErrorLimit max_errors;
  double rate = 0;        ///< Maximum number of records per second; 0 for no limit.
  std::size_t batch = 0;  ///< Number of records per request; 0 if each record has its own request.
  Pacer::Config pace;
  InputConfig input;
  CheckpointConfig checkpoint;
  std::string sites;  ///< Sites of --site-override or --site; empty if each record names its own.
  /// Name that groups the imports of a followed log's rotations; empty without --follow or with
  /// --import-id.
  std::string log;
  bool dedupe_ids = false;
};

/// Replaces each folder, and each archive of events, with the files in it, sorted by name. Includes
/// subfolders but no hidden files. Failures: kSetup if a folder or archive has no files or cannot
/// be read.
[[nodiscard]] Outcome<ReplayOptions> with_files_of_folders(ReplayOptions options);

/// Checks the options and returns the plan. Failures: kUsage for an invalid option or combination.
[[nodiscard]] Outcome<ReplayPlan> plan_replay(const ReplayOptions& options, const Context& context);

}  // namespace analytics::cli
