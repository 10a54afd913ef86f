#pragma once

#include <cstdint>
#include <vector>

#include "daemon/model/sums.h"
#include "daemon/model/visit.h"
#include "daemon/query/flat_table.h"

namespace analytics::query {

/// Sums engagements by group. Each visit counts once in a group, with the greatest depth it reached
/// there.
class EngagementSums {
 public:
  /// `visit`: from EventBatch::kPassingVisits on, its engagements come one after another. `millis`
  /// and `depth`: -1 if the event does not tell.
  void add(std::uint32_t group, VisitId visit, std::int64_t millis, std::int64_t depth);
  [[nodiscard]] EngagementSum of(std::size_t group) const {
    return group < groups_.size() ? groups_[group].sum : EngagementSum();
  }
  /// All have been added.
  void finish();
  [[nodiscard]] std::size_t memory() const;

 private:
  /// A visit's share in a group.
  struct Known {
    bool is_timed = false;
    std::int8_t deepest = -1;
  };
  struct OfGroup {
    EngagementSum sum{};
    VisitId passing = 0;  ///< The last of the passing visits.
    Known of_passing{};
  };
  Known& known(OfGroup& group, std::uint32_t number, VisitId visit);

  std::vector<OfGroup> groups_;
  // For visits that may come back:
  Numbering visits_;
  Numbering pairs_;  ///< A pair is a visit and a group.
  std::vector<Known> of_pairs_;
};

}  // namespace analytics::query
