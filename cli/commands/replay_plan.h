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
  bool dedupe_ids = false;
};

/// Failures: kUsage.
[[nodiscard]] Outcome<ReplayPlan> plan_replay(const ReplayOptions& options, const Context& context);

/// The capabilities of the server and the key.
struct ReplayTarget {
  bool idempotent = false;
  bool import_fields = false;
  bool bulk = false;  ///< POST /api/v1/events.
};
/// Asks, with a debug request that stores nothing.
[[nodiscard]] Outcome<ReplayTarget> probe_target(const std::string& site, Context& context);

/// Returns the ranges of a source file that the server stores on the given sites.
[[nodiscard]] Outcome<ByteRanges> ask_held(const std::string& import, const std::string& source,
                                           const std::set<std::string>& sites, Context& context);

/// The words as a shell takes them for the same.
[[nodiscard]] std::string shell_words(const std::vector<std::string>& words);

}  // namespace analytics::cli
