#pragma once

#include <vector>

#include "daemon/parts/raw_event.h"

namespace analytics::parts {

/// Makes visits again after events were removed, by divide_into_visits().
void split_visits(std::vector<RawEvent>& events);

}  // namespace analytics::parts
