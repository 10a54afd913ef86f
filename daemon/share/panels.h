#pragma once

#include <string>
#include <string_view>

#include "common/run/result.h"
#include "daemon/share/page.h"
#include "daemon/share/view.h"
#include "daemon/store/stats_store.h"

/// Computes the numbers of a shared page. Errors: those of StatsStore::run().
namespace analytics::share {

/// Counts the totals, the chart and the current visitors, and adds them to `page`.
[[nodiscard]] Status count_overview(const View& view, store::StatsStore& store, Page& page);

/// Counts only the current visitors, which do not depend on the filters in the URL. For pages whose
/// URL has invalid filters.
[[nodiscard]] Status count_current(const View& view, store::StatsStore& store, Page& page);

/// Counts the rows of all panels except funnels, and adds the panels to `page`.
[[nodiscard]] Status count_panels(const View& view, store::StatsStore& store, Page& page);

/// Returns the rows of a panel as CSV, at most 100,000, or those of the chart if `panel` is empty.
/// Errors: also kNotFound for an unknown panel, or for the panel of properties if no event of the
/// period has any.
[[nodiscard]] Result<std::string> panel_csv(const View& view, std::string_view panel,
                                            store::StatsStore& store);

}  // namespace analytics::share
