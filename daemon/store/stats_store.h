#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/run/abandoned.h"
#include "common/run/memory_ledger.h"
#include "common/run/result.h"
#include "common/text/time.h"
#include "common/wire/caveats.h"
#include "daemon/model/funnel.h"
#include "daemon/model/groups.h"
#include "daemon/model/query.h"
#include "daemon/store/extent.h"

namespace analytics::store {

/// Computes sums over stored events for queries; sees all events up to the last
/// EventStore::publish(). Used by one worker thread, with its own connection.
class StatsStore {
 public:
  virtual ~StatsStore() = default;

  /// The result of an aggregation.
  struct Found {
    /// Groups of each grouping, in the order of Aggregation::groupings.
    std::vector<std::unique_ptr<Groups>> groups{};
    TotalsUse totals{};            ///< Reports which daily totals the sums include.
    bool removal_running = false;  ///< True while events of the site are being removed.
    /// Selected days with events that arrived too late to recognise their visitors.
    std::vector<Caveats::LostDay> recognition_lost{};
  };
  /// Function that receives the results of run(): one Found per aggregation, in the same order.
  /// run() computes all aggregations on the same snapshot and then calls `use`. The results are
  /// valid until `use` returns. A grouping without dimensions has exactly one group. Errors of
  /// run(), also of text look-ups inside `use`: kOverloaded if the query exceeds the limits on time
  /// or memory.
  using Use = std::function<void(std::span<const Found> found)>;
  virtual Status run(std::span<const Aggregation> aggregations, const Use& use) = 0;

  /// The result of funnel(). `visitors`: number of visitors who reached each step; the other
  /// members are as in Found.
  struct FoundFunnel {
    FunnelVisitors visitors;
    bool removal_running = false;
    std::vector<Caveats::LostDay> recognition_lost{};
  };
  /// Counts the visitors who reached each step of a funnel. Errors: as run().
  virtual Result<FoundFunnel> funnel(const FunnelQuery& query) = 0;

  /// Returns how complete the events of the last run() or funnel() were; the default Extent if
  /// neither was called since forget_extent(), or if there is no cluster.
  [[nodiscard]] virtual Extent extent() const { return {}; }
  /// Resets the result of extent() to the default Extent.
  virtual void forget_extent() {}

  /// Makes the current run() or funnel(), and every later one, fail with kOverloaded. Any thread.
  virtual void cancel() = 0;
  /// Sets the client that is served next: run() and funnel() fail with kOverloaded once
  /// `abandoned` becomes true, and count the memory that they use in `memory`, unless it is null
  /// (see query::Budget).
  void serve(Abandoned abandoned, MemoryLedger::Item* memory) {
    abandoned_ = std::move(abandoned);
    memory_ = memory;
  }

 protected:
  [[nodiscard]] const Abandoned& abandoned() const { return abandoned_; }
  [[nodiscard]] MemoryLedger::Item* memory() const { return memory_; }

 private:
  Abandoned abandoned_;
  MemoryLedger::Item* memory_ = nullptr;
};

}  // namespace analytics::store
