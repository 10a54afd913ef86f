#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/text/time.h"

namespace analytics::store {

/// Reports how complete the events are that a query has read, in a cluster whose nodes all receive
/// events.
struct Extent {
  /// All events stored before this time were read, except events of the nodes in `behind`. Nullopt
  /// without a cluster.
  std::optional<UnixMillis> up_to{};
  std::vector<std::string> behind{};  ///< Names of nodes whose newest events may be missing.
};

}  // namespace analytics::store
