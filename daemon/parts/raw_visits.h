#pragma once

#include <vector>

#include "daemon/query/events/raw_event.h"

namespace analytics::parts {

/// Divides the visits of `events` again, after some of their events were removed. Sets each
/// event's `visit`: parts of a divided visit get new ids, and an engagement that is close to no
/// other event gets 0.
void split_visits(std::vector<query::RawEvent>& events);

}  // namespace analytics::parts
