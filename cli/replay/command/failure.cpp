#include "cli/replay/command/failure.h"

namespace analytics::cli {

Failure to_failure(const SessionProblem& problem) {
  using Kind = SessionProblem::Kind;
  if (problem.kind == Kind::kTimeRefused) {
    return {ExitCode::kConflict,
            "the records carry timestamps, but this key may not set them (they would be stamped "
            "with the current time): use a key with events:import, or --time now",
            "time_refused",
            0,
            {}};
  }
  const bool is_conflict = problem.kind == Kind::kConflict;
  return {is_conflict ? ExitCode::kConflict : ExitCode::kOutput,
          problem.message,
          is_conflict ? "checkpoint_conflict" : "output",
          0,
          {}};
}

}  // namespace analytics::cli
