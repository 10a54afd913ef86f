#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/store/journal.h"

namespace analytics::cluster {

/// Returns the end of a condition, " AND …", that leaves out rows that a journal may have
/// forgotten; empty if it has forgotten nothing. `column`: "id" for events, "visit" for visits.
[[nodiscard]] std::string but_for(std::span<const store::ForgottenOfSite> forgotten,
                                  std::string_view column);

/// Returns the entry of a site; null if nothing of the site is forgotten.
[[nodiscard]] const store::ForgottenOfSite* find_site(
    std::span<const store::ForgottenOfSite> forgotten, SiteId site);

}  // namespace analytics::cluster
