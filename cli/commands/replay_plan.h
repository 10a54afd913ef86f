#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"
#include "cli/replay/input/input.h"
#include "cli/replay/progress/checkpoints.h"
#include "cli/replay/progress/rejects.h"
#include "cli/replay/send/pacer.h"

/// The plan of a replay, made from its options before any file is opened and the server is asked.
namespace analytics::cli {

struct ReplayPlan {
  ErrorLimit max_errors;
  double rate = 0;        ///< Records a second; 0: no limit.
  std::size_t batch = 0;  ///< Records of a request; 0: one by one.
  Pacer::Config pace;
  InputConfig input;
  CheckpointConfig checkpoint;
  std::string sites;  ///< The site of all records; empty: each record names its own.
  std::string log;  ///< The import of a followed log, with all its rotations; empty: there is none.
  bool dedupe_ids = false;
};

/// Puts the files in each folder, and in the folders in it, in its place: in the order of their
/// names, without hidden ones. So it does with the files in an archive of events. Failures: kSetup
/// for one without files, or that cannot be read.
[[nodiscard]] Outcome<ReplayOptions> with_files_of_folders(ReplayOptions options);

/// Failures: kUsage.
[[nodiscard]] Outcome<ReplayPlan> plan_replay(const ReplayOptions& options, const Context& context);

}  // namespace analytics::cli
