#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/time.h"

namespace analytics::store {

/// The work that a slice of housekeeping leaves.
enum class Left {
  kNothing,
  kMore,
  kReadersInTheWay,  ///< New readers should wait until a later slice has left nothing.
};

/// Work that a store needs beside what it is asked for, in slices that hardly delay an event.
struct Housekeeping {
  const char* name;                    ///< For the log: "deleted sites".
  std::chrono::milliseconds interval;  ///< Between two slices.
  /// Does a slice, on the writer thread. Throws StoreLost as EventStore::append() does.
  std::function<Result<Left>(UnixSeconds now)> slice;
  /// Returns what the slices have brought about since the last call, for the log.
  std::function<std::vector<std::string>()> take_news = [] { return std::vector<std::string>(); };
};

}  // namespace analytics::store
