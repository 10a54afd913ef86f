#pragma once

#include <cstdint>
#include <vector>

#include "daemon/model/sums.h"
#include "daemon/model/visit.h"
#include "daemon/query/events/flat_table.h"

namespace analytics::query {

/// Sums engagements by group. In each group a visit counts once, with the greatest scroll depth
/// that it reached there.
class EngagementSums {
 public:
  /// Adds an engagement. If `visit` is at least EventBatch::kPassingVisits, the visit's engagements
  /// must be added one after another. `millis` and `depth` are -1 if the engagement does not report
  /// them.
  void add(std::uint32_t group, VisitId visit, std::int64_t millis, std::int64_t depth);
  [[nodiscard]] EngagementSum of(std::size_t group) const {
    return group < groups_.size() ? groups_[group].sum : EngagementSum();
  }
  /// Frees the memory that only add() needs. Call it after the last add().
  void finish();
  [[nodiscard]] std::size_t memory() const;

 private:
  /// A visit's contribution to a group so far.
  struct Known {
    bool is_timed = false;
    std::int8_t deepest = -1;
  };
  struct OfGroup {
    EngagementSum sum{};
    VisitId passing = 0;  ///< Last added visit from kPassingVisits on.
    Known of_passing{};
  };
  Known& known(OfGroup& group, std::uint32_t number, VisitId visit);

  std::vector<OfGroup> groups_;
  // For visits whose engagements are not added one after another:
  Numbering visits_;
  Numbering pairs_;  ///< Numbers pairs of a visit and a group.
  std::vector<Known> of_pairs_;
};

}  // namespace analytics::query
