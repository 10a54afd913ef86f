#pragma once

#include <set>
#include <string>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"
#include "cli/replay/progress/byte_ranges.h"

namespace analytics::cli {

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

}  // namespace analytics::cli
