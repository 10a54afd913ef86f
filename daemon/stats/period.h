#pragma once

#include <string>
#include <string_view>

#include "common/run/result.h"
#include "common/text/period.h"
#include "daemon/model/query.h"

namespace analytics {

/// Returns the days of a period of the Stats API v1, in the site's time zone: `day`; `7d` and
/// `30d`, which end on the day before `date`; `month`, `6mo` and `12mo`, which end with the month
/// of `date`; and `custom`, whose `date` is "from,to". An empty period is 30d, an empty date today.
/// Errors: kInvalidParameter, `period` or `date`.
[[nodiscard]] Result<Period> parse_period(std::string_view period, std::string_view date,
                                          Days today);

/// Returns the period of the same length that ends just before this one. If the period extends past
/// today, only its days up to today count.
[[nodiscard]] Period period_before(const Period& period, Days today);

[[nodiscard]] TimeRange range_of(const Period& period, const std::string& zone);

}  // namespace analytics
