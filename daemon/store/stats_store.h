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

/// Aggregates stored events, up to the last EventStore::publish(). Used by a worker thread, with
/// its own connection.
class StatsStore {
 public:
  virtual ~StatsStore() = default;

  /// The result of an aggregation.
  struct Found {
    std::vector<std::unique_ptr<Groups>> groups{};  ///< One entry per grouping.
    TotalsUse totals{};
    bool removal_running = false;                      ///< Events of the site are being removed.
    std::vector<Caveats::LostDay> recognition_lost{};  ///< Selected days with late events.
  };
  /// Computes all aggregations on the same snapshot and calls `use` with the results, which are
  /// valid until it returns. A grouping without dimensions has exactly one group. Errors, also of
  /// look-ups inside `use`: kOverloaded if it exceeds the limits on time or memory.
  using Use = std::function<void(std::span<const Found> found)>;
  virtual Status run(std::span<const Aggregation> aggregations, const Use& use) = 0;

  /// The visitors of a funnel; for the other members see Found.
  struct FoundFunnel {
    FunnelVisitors visitors;
    bool removal_running = false;
    std::vector<Caveats::LostDay> recognition_lost{};
  };
  /// Counts how far visitors came in a funnel. Errors: as run().
  virtual Result<FoundFunnel> funnel(const FunnelQuery& query) = 0;

  /// Returns the extent of the last run() or funnel() since forget_extent().
  [[nodiscard]] virtual Extent extent() const { return {}; }
  virtual void forget_extent() {}

  /// Ends the current run() or funnel(), and every later one, with kOverloaded. Any thread.
  virtual void cancel() = 0;
  /// From now on, run() and funnel() end with kOverloaded when `abandoned` becomes true, and count
  /// their memory in `memory`, unless it is null: see query::Budget.
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
