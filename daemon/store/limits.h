#pragma once

#include "daemon/query/events/budget.h"
#include "daemon/store/event_store.h"

namespace analytics::store {

/// Limits of an open store: those of its events, and those of queries.
struct Limits {
  StoreLimits events;
  query::Limits stats;
};

}  // namespace analytics::store
