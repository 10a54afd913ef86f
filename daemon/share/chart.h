#pragma once

#include "daemon/share/page.h"
#include "daemon/share/view.h"
#include "daemon/stats/answer.h"

namespace analytics::share {

/// Makes the chart of the view's metric over time from `answer`. If the view has a comparison, each
/// bar also has the value of the corresponding bucket in `before`.
[[nodiscard]] Chart make_chart(const View& view, const Query& query, const Answer& answer,
                               const Query& query_before, const Answer& before);

}  // namespace analytics::share
