#pragma once

#include <optional>

#include "common/run/result.h"
#include "common/text/period.h"
#include "daemon/model/query.h"
#include "daemon/store/stats_store.h"

namespace analytics {

/// Returns the first day of `among` with events that a query by day selects; nullopt if there is
/// none. Looks at a longer and longer time from the first day on, because the first event is mostly
/// near to it. Errors: those of StatsStore::run().
[[nodiscard]] Result<std::optional<Days>> first_day(Query by_day, const Period& among,
                                                    store::StatsStore& store);

}  // namespace analytics
