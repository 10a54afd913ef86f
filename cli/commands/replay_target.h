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
  bool bulk = false;           ///< POST /api/v1/events.
  bool knows_sources = false;  ///< It tells which imports have bytes of a source.
};
/// Asks, with a debug request that stores nothing.
[[nodiscard]] Outcome<ReplayTarget> probe_target(const std::string& site, Context& context);

/// What the server has of a source.
struct HeldSource {
  ByteRanges ranges;
  std::set<std::string> imports;  ///< The names of those that have some.
  bool lacks_a_site = false;      ///< One of the sites exists and has nothing of it.
};
/// Returns what the server has of a source on the given sites, each a domain or some with commas.
[[nodiscard]] Outcome<HeldSource> ask_held(const std::string& source,
                                           const std::set<std::string>& sites, Context& context);

}  // namespace analytics::cli
