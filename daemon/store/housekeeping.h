#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"

namespace analytics::store {

/// Result of a slice of housekeeping: the work that remains.
enum class Left {
  kNothing,
  kMore,
  /// Readers that are open block the remaining work. Open no new ones until a slice returns
  /// kNothing.
  kBlockedByReaders,
};

/// A background job of a store. It runs in slices short enough not to delay events.
struct Housekeeping {
  const char* name;  ///< Name of the job in the daemon's log, such as "deleted sites".
  std::chrono::milliseconds interval;  ///< Pause between two slices.
  /// Runs one slice on the writer thread. Throws StoreLost as EventStore::append() does.
  std::function<Result<Left>(UnixSeconds now)> slice;
  /// Returns lines for the daemon's log about the work done since the last call.
  std::function<std::vector<std::string>()> take_news = [] { return std::vector<std::string>(); };
};

}  // namespace analytics::store
