#pragma once

#include <cstdint>
#include <vector>

#include "daemon/model/sums.h"
#include "daemon/model/visit.h"
#include "daemon/query/events/flat_table.h"

namespace analytics::query {

/// Sums the times and scroll depths of `engagement` events by group. In each group a visit counts
/// once, with the greatest scroll depth that it reached there.
class EngagementSums {
 public:
  /// Adds an engagement. If `visit` is at least EventBatch::kPassingVisits, the visit's engagements
  /// must be added one after another. `millis` and `depth` are -1 if the engagement does not report
  /// them.
  void add(std::uint32_t group, VisitId visit, std::int64_t millis, std::int64_t depth);
  /// Returns the sums of a group.
  [[nodiscard]] EngagementSum of(std::size_t group) const {
    return group < groups_.size() ? groups_[group].sum : EngagementSum();
  }
  /// Frees the memory that only add() needs. Call it after the last add().
  void finish();
  [[nodiscard]] std::size_t memory() const;

 private:
  /// The values of a visit that a group's sums already include.
  struct Known {
    bool is_timed = false;     ///< True if the visit has reported a time.
    std::int8_t deepest = -1;  ///< Greatest scroll depth in percent; -1 if none was reported.
  };
  struct OfGroup {
    EngagementSum sum{};
    VisitId passing = 0;  ///< Last added visit whose id is at least kPassingVisits.
    Known of_passing{};   ///< Values of the visit `passing` that `sum` already includes.
  };
  Known& known(OfGroup& group, std::uint32_t number, VisitId visit);

  std::vector<OfGroup> groups_;
  // The next three members are for visits with ids below kPassingVisits, whose engagements may be
  // added in any order.
  Numbering visits_;
  Numbering pairs_;  ///< Numbers the pairs of a visit (by its number in visits_) and a group.
  std::vector<Known> of_pairs_;  ///< Values of each pair, by its number in pairs_.
};

}  // namespace analytics::query
