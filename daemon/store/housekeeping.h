#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"

namespace analytics::store {

/// Work that remains after a slice of housekeeping.
enum class Left {
  kNothing,
  kMore,
  kBlockedByReaders,  ///< Open readers block the rest. New ones should wait for kNothing.
};

/// Background work of a store, in slices that are short enough not to delay events.
struct Housekeeping {
  const char* name;                    ///< Name in the log, such as "deleted sites".
  std::chrono::milliseconds interval;  ///< Pause between two slices.
  /// Runs a slice, on the writer thread. Throws StoreLost as EventStore::append() does.
  std::function<Result<Left>(UnixSeconds now)> slice;
  /// Returns lines for the log about the work done since the last call.
  std::function<std::vector<std::string>()> take_news = [] { return std::vector<std::string>(); };
};

}  // namespace analytics::store
