#pragma once

#include <vector>

#include "daemon/parts/part_builder.h"
#include "daemon/query/events/raw_event.h"

namespace analytics::sqlite {

/// Makes a part of events and reads it back to check it. Throws JobRefused if the part lacks any
/// data of the events.
[[nodiscard]] parts::PartBytes make_whole_part(std::vector<query::RawEvent> events);

}  // namespace analytics::sqlite
