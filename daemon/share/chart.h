#pragma once

#include "daemon/share/page.h"
#include "daemon/share/view.h"
#include "daemon/stats/answer.h"

namespace analytics::share {

/// Makes the chart of a series over time, with that of the days that the view compares with.
[[nodiscard]] Chart make_chart(const View& view, const Query& query, const Answer& answer,
                               const Query& query_before, const Answer& before);

}  // namespace analytics::share
