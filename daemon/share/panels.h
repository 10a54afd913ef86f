#pragma once

#include <string>
#include <string_view>

#include "common/result.h"
#include "daemon/share/page.h"
#include "daemon/share/view.h"
#include "daemon/store/stats_store.h"

/// The tables of a shared page, computed. Errors: those of StatsStore::run().
namespace analytics::share {

/// Totals, chart and current visitors.
[[nodiscard]] Status count_overview(const View& view, store::StatsStore& store, Page& page);

/// Current visitors alone: filters that are wrong do not change who is on the site.
[[nodiscard]] Status count_current(const View& view, store::StatsStore& store, Page& page);

[[nodiscard]] Status count_panels(const View& view, store::StatsStore& store, Page& page);

/// All rows of a panel, or of the chart when `panel` is empty. Errors: also kNotFound.
[[nodiscard]] Result<std::string> panel_csv(const View& view, std::string_view panel,
                                            store::StatsStore& store);

}  // namespace analytics::share
