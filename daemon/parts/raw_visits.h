#pragma once

#include <vector>

#include "daemon/parts/raw_event.h"

namespace analytics::parts {

/// Makes visits again after events were removed: one that has a gap now becomes several, unless an
/// import named it, and engagements of a visit that has nothing else belong to none. As
/// Visits::rebuild() does with rows.
void split_visits(std::vector<RawEvent>& events);

}  // namespace analytics::parts
