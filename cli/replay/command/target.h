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

/// The capabilities of the server, as far as the API key allows a replay to use them.
struct ReplayTarget {
  bool idempotent = false;     ///< True if Idempotency-Key marks a repeated request.
  bool import_fields = false;  ///< True if timestamp, ip and other import fields are accepted.
  bool bulk = false;           ///< True if POST /api/v1/events is accepted.
  bool logs = false;           ///< True if the header Import-Log groups the imports of a log.
};
/// Asks the server for its capabilities, and tests the key with a request that stores nothing.
[[nodiscard]] Outcome<ReplayTarget> probe_target(const std::string& site, Context& context);

/// Asks the server which ranges of a source file it stores for a site. Returns nullopt if the site
/// does not exist.
[[nodiscard]] Outcome<std::optional<ByteRanges>> ask_held(const std::string& import,
                                                          const std::string& source,
                                                          std::string_view site, Context& context);

/// Compares `believed`, the byte ranges of a source file that the server should store for each
/// site, with the ranges that the server reports. Returns the first site for which some are
/// missing; empty if the server has all ranges. Ignores deleted sites.
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
