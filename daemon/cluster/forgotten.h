#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/store/journal.h"

namespace analytics::cluster {

/// Returns " AND …", to be appended to a condition so that it excludes rows that a journal may have
/// forgotten; empty if the journal has forgotten nothing. `column`: the column of their ids, "id"
/// for events or "visit" for visits.
[[nodiscard]] std::string excluding_forgotten(std::span<const store::ForgottenOfSite> forgotten,
                                              std::string_view column);

/// Returns the entry of a site; null if the journal has forgotten nothing of the site.
[[nodiscard]] const store::ForgottenOfSite* find_site(
    std::span<const store::ForgottenOfSite> forgotten, SiteId site);

}  // namespace analytics::cluster
