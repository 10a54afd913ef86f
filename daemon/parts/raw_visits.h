#pragma once

#include <vector>

#include "daemon/query/events/raw_event.h"

namespace analytics::parts {

/// Divides visits again by divide_into_visits() after some of their events were removed.
void split_visits(std::vector<query::RawEvent>& events);

}  // namespace analytics::parts
