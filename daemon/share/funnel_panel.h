#pragma once

#include <string>

#include "common/run/result.h"
#include "daemon/share/page.h"
#include "daemon/share/view.h"
#include "daemon/store/registry_reader.h"
#include "daemon/store/stats_store.h"

/// Counts the funnels of a shared page. Errors: those of `registry` and `store`.
namespace analytics::share {

/// Adds to `page` the panel with the funnel that the URL names, or with the site's first funnel.
/// Adds nothing if the site has no funnels.
[[nodiscard]] Status add_funnels(const View& view, store::RegistryReader& registry,
                                 store::StatsStore& store, Page& page);

/// Returns the steps of the selected funnel as CSV. Errors: also kNotFound if the site has no
/// funnels.
[[nodiscard]] Result<std::string> funnel_csv(const View& view, store::RegistryReader& registry,
                                             store::StatsStore& store);

}  // namespace analytics::share
