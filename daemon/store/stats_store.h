#pragma once

#include <span>
#include <vector>

#include "common/result.h"
#include "daemon/model/query.h"

namespace analytics::store {

/// The limits of one query.
struct StatsLimits {
  std::chrono::milliseconds deadline{10'000};
  std::size_t memory = 268'435'456;  ///< Bytes, for what is counted as distinct.
};

/// Questions about stored events, up to the last EventStore::write_visits(). A worker thread with a
/// connection of its own.
class StatsStore {
 public:
  virtual ~StatsStore() = default;

  /// A list of groups, in no order, for each grouping of each question; all are of the same moment.
  /// A grouping without dimensions has exactly one group. Errors: kOverloaded when it takes longer,
  /// or more memory, than the limits.
  using Groups = std::vector<Group>;
  virtual Result<std::vector<std::vector<Groups>>> run(std::span<const Question> questions) = 0;

  /// From any thread: what is being asked, and all that is asked afterwards, ends with kOverloaded.
  virtual void cancel() = 0;
};

}  // namespace analytics::store
