#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"
#include "cli/replay/progress/byte_ranges.h"
#include "common/wire/caveats.h"

namespace analytics::cli {

/// The rights that the server and the key give a replay.
struct ReplayTarget {
  bool idempotent = false;
  bool import_fields = false;
  bool bulk = false;  ///< Accepts POST /api/v1/events.
  bool logs = false;  ///< Can group imports by log (header Import-Log).
};
/// Asks the server for its capabilities, and tests the key with a request that stores nothing.
[[nodiscard]] Outcome<ReplayTarget> probe_target(const std::string& site, Context& context);

/// Asks the server which ranges of a source file it stores for a site. Returns nullopt if the site
/// does not exist.
[[nodiscard]] Outcome<std::optional<ByteRanges>> ask_held(const std::string& import,
                                                          const std::string& source,
                                                          std::string_view site, Context& context);

/// Compares `believed`, the ranges of a source file that each site should store, with the server.
/// Returns the first site that lacks some; empty if none does. Ignores deleted sites.
[[nodiscard]] Outcome<std::string> find_lost(const std::string& import, const std::string& source,
                                             const std::map<std::string, ByteRanges>& believed,
                                             Context& context);

/// A site's domain and the name of an import on it.
using SiteImport = std::pair<std::string, std::string>;

/// Returns, by day, the number of imported events that arrived too late to recognise their
/// visitors. Skips imports for which the request fails.
[[nodiscard]] std::vector<Caveats::LostDay> ask_late_days(const std::set<SiteImport>& imports,
                                                          Context& context);

}  // namespace analytics::cli
