#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/store/journal_rows.h"

namespace analytics::cluster {

/// Returns the SQL " AND …" that excludes rows which the journal may have forgotten, that is,
/// deleted because ClickHouse has them; empty if the journal has forgotten nothing. The caller
/// appends it to a condition. `column`: the column of the rows' ids, "id" for events or "visit" for
/// visits.
[[nodiscard]] std::string excluding_forgotten(std::span<const store::ForgottenOfSite> forgotten,
                                              std::string_view column);

/// Returns the ids up to which the journal may have forgotten rows of the site, that is, deleted
/// them because ClickHouse has them; null if the journal has forgotten nothing of the site.
/// REQUIRES: `forgotten` is sorted by site.
[[nodiscard]] const store::ForgottenOfSite* find_site(
    std::span<const store::ForgottenOfSite> forgotten, SiteId site);

}  // namespace analytics::cluster
