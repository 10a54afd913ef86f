#pragma once

#include <vector>

#include "daemon/query/events/raw_event.h"

namespace analytics::parts {

/// Divides the visits of `events` again, after some of their events were removed. Sets each event's
/// `visit`: if a visit becomes several, the first keeps the id and the others get new ids. An
/// engagement that is close to no other event gets 0.
void split_visits(std::vector<query::RawEvent>& events);

}  // namespace analytics::parts
