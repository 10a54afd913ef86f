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

/// The capabilities of the server and the key.
struct ReplayTarget {
  bool idempotent = false;
  bool import_fields = false;
  bool bulk = false;  ///< Accepts POST /api/v1/events.
  bool logs = false;  ///< Imports can belong to a log.
};
/// Asks the server, with a debug request that stores nothing.
[[nodiscard]] Outcome<ReplayTarget> probe_target(const std::string& site, Context& context);

/// Returns the ranges of a source file that the server stores on a site; nullopt if the site does
/// not exist.
[[nodiscard]] Outcome<std::optional<ByteRanges>> ask_held(const std::string& import,
                                                          const std::string& source,
                                                          std::string_view site, Context& context);

/// Returns the first site that no longer stores a range of the source in `believed`; empty if no
/// site lacks one. Ignores deleted sites.
[[nodiscard]] Outcome<std::string> find_lost(const std::string& import, const std::string& source,
                                             const std::map<std::string, ByteRanges>& believed,
                                             Context& context);

/// An import on one site.
using SiteImport = std::pair<std::string, std::string>;

/// Returns, by day, the number of imported events that arrived too late to recognise their
/// visitors. Skips imports about which the server cannot tell.
[[nodiscard]] std::vector<Caveats::LostDay> ask_late_days(const std::set<SiteImport>& imports,
                                                          Context& context);

}  // namespace analytics::cli
