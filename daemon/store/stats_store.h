#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/caveats.h"
#include "common/result.h"
#include "common/time.h"
#include "daemon/model/funnel.h"
#include "daemon/model/groups.h"
#include "daemon/model/query.h"
#include "daemon/store/extent.h"

namespace analytics::store {

/// Aggregates stored events, up to the last EventStore::publish(). A worker thread with a
/// connection of its own.
class StatsStore {
 public:
  virtual ~StatsStore() = default;

  /// The findings for one aggregation.
  struct Found {
    std::vector<std::unique_ptr<Groups>> groups{};  ///< By grouping.
    TotalsUse totals{};
    bool removal_running = false;                      ///< Events of the site are being removed.
    std::vector<Caveats::LostDay> recognition_lost{};  ///< Of the days of the selection.
  };
  /// Finds the groups of all aggregations, at the same moment, and calls `use` with them: they are
  /// there until it returns. A grouping without dimensions has exactly one group. Errors, also of
  /// what `use` looks up: kOverloaded if it takes longer, or more memory, than the limits.
  using Use = std::function<void(std::span<const Found> found)>;
  virtual Status run(std::span<const Aggregation> aggregations, const Use& use) = 0;

  /// Counts how far visitors came in a funnel. Errors: as run().
  virtual Result<FunnelVisitors> funnel(const FunnelQuery& query) = 0;

  /// Says what the last run() or funnel() has read since forget_extent().
  [[nodiscard]] virtual Extent extent() const { return {}; }
  virtual void forget_extent() {}

  /// From any thread: ends a run() or funnel() that is under way, and every later one, with
  /// kOverloaded.
  virtual void cancel() = 0;
};

}  // namespace analytics::store
