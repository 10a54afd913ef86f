#pragma once

#include <string>
#include <vector>

#include "cli/commands/site_spec.h"
#include "cli/frame/context.h"

namespace analytics::cli {

/// The kinds of objects of a site that are asked for.
struct SiteDetails {
  bool keep = true;  ///< And keep_totals: set unless the site goes by the service's default.
  bool goals = true;
  bool links = true;
  bool exclusions = true;
};

/// Returns the key's sites with their time zones, in order of creation. Failures: the server's.
[[nodiscard]] Outcome<std::vector<SiteSpec>> read_server_sites(Context& context);

/// Asks the server what a site has.
[[nodiscard]] Outcome<void> read_details(SiteSpec& site, const SiteDetails& details,
                                         Context& context);

}  // namespace analytics::cli
