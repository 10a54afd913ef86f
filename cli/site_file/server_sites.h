#pragma once

#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/site_file/site_spec.h"

namespace analytics::cli {

/// Selects which of a site's settings and objects read_details() reads.
struct SiteDetails {
  /// True to read the settings of the site: `keep`, unless the site uses the server's default, and
  /// `keep_totals` and `languages` if they are true on the server.
  bool fields = true;
  bool goals = true;
  bool funnels = true;
  bool links = true;
  bool exclusions = true;
};

/// Returns the key's sites with their time zones, in order of creation. Fails with the server's
/// error.
[[nodiscard]] Outcome<std::vector<SiteSpec>> read_server_sites(Context& context);

/// Returns the links of the account. Fails with the server's error; its code is missing_scope for a
/// key that is limited to some sites.
[[nodiscard]] Outcome<std::vector<LinkSpec>> read_account_links(Context& context);

/// Reads the objects of a site from the server into `site`.
[[nodiscard]] Outcome<void> read_details(SiteSpec& site, const SiteDetails& details,
                                         Context& context);

}  // namespace analytics::cli
