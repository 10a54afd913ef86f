#pragma once

#include <optional>

#include "common/run/result.h"
#include "common/text/period.h"
#include "daemon/model/query.h"
#include "daemon/store/stats_store.h"

namespace analytics {

/// Returns the first day in `among` on which `by_day`, a query by day, selects events; nullopt if
/// no day has any. Searches ranges that double in length, because the first event is usually near
/// the first day. Errors: those of StatsStore::run().
[[nodiscard]] Result<std::optional<Days>> first_day(Query by_day, const Period& among,
                                                    store::StatsStore& store);

}  // namespace analytics
