#pragma once

#include <string>
#include <string_view>

#include "common/result.h"
#include "daemon/api/share_view.h"
#include "daemon/store/stats_store.h"
#include "daemon/web/share_page.h"

/// The tables of a shared page, computed. Errors: those of StatsStore::run().
namespace analytics::api {

/// Totals, chart and current visitors.
[[nodiscard]] Status count_overview(const ShareView& view, const Query& current,
                                    store::StatsStore& store, web::SharePage& page);

[[nodiscard]] Status count_panels(const ShareView& view, store::StatsStore& store,
                                  web::SharePage& page);

/// All rows of a panel, or of the chart when `panel` is empty. Errors: also kNotFound.
[[nodiscard]] Result<std::string> panel_csv(const ShareView& view, std::string_view panel,
                                            store::StatsStore& store);

}  // namespace analytics::api
