#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/text/time.h"

namespace analytics {

/// Makes events of an invented site for the last 30 days up to `now`, as NDJSON for bulk requests:
/// one string per request. The same `seed` and `now` make the same events.
[[nodiscard]] std::vector<std::string> demo_events(const std::string& site, UnixSeconds now,
                                                   std::uint32_t seed);

}  // namespace analytics
