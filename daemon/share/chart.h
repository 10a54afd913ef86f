#pragma once

#include "daemon/share/page.h"
#include "daemon/share/view.h"
#include "daemon/stats/answer.h"

namespace analytics::share {

/// Returns the chart of the view's metric over time: a bar for each time bucket in `answer`, the
/// answer to `query`. If the view has a comparison, each bar also has the value of the
/// corresponding bucket in `before`, the answer to `query_before`.
[[nodiscard]] Chart make_chart(const View& view, const Query& query, const Answer& answer,
                               const Query& query_before, const Answer& before);

}  // namespace analytics::share
