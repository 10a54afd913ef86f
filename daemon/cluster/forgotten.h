#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/store/journal.h"

namespace analytics::cluster {

/// Returns the end of a condition that leaves out what a journal may have forgotten, by `column`:
/// "id" of events, or "visit".
[[nodiscard]] std::string but_for(std::span<const store::ForgottenOfSite> forgotten,
                                  std::string_view column);

/// Returns what is forgotten of a site; null: nothing.
[[nodiscard]] const store::ForgottenOfSite* find_site(
    std::span<const store::ForgottenOfSite> forgotten, SiteId site);

}  // namespace analytics::cluster
