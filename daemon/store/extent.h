#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/time.h"

namespace analytics::store {

/// How far the events reach that were read, where several nodes take events in.
struct Extent {
  /// All that was stored before is among them, but for what nodes have that are behind; none: there
  /// are no nodes.
  std::optional<UnixMillis> up_to{};
  std::vector<std::string> behind{};  ///< Names of nodes whose newest events may be missing.
};

}  // namespace analytics::store
