#pragma once

#include <span>
#include <vector>

#include "common/result.h"
#include "daemon/model/query.h"

namespace analytics::store {

/// Aggregates stored events, up to the last EventStore::publish(). A worker thread with a
/// connection of its own.
class StatsStore {
 public:
  virtual ~StatsStore() = default;

  /// Returns a list of groups, in no order, for each grouping of each aggregation; all are of the
  /// same moment. A grouping without dimensions has exactly one group. Errors: kOverloaded if it
  /// takes longer, or more memory, than the limits.
  using Groups = std::vector<Group>;
  virtual Result<std::vector<std::vector<Groups>>> run(
      std::span<const Aggregation> aggregations) = 0;

  /// From any thread: ends a run() that is under way, and every later one, with kOverloaded.
  virtual void cancel() = 0;
};

}  // namespace analytics::store
