#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/text/time.h"

namespace analytics {

/// Returns invented events of the 30 days before `now` as NDJSON bodies of bulk requests, one
/// string per request. The same `seed` and `now` always give the same events.
[[nodiscard]] std::vector<std::string> demo_events(const std::string& site, UnixSeconds now,
                                                   std::uint32_t seed);

}  // namespace analytics
