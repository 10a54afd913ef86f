#include "daemon/query/engagement_sums.h"

#include "daemon/query/events/event_batch.h"

namespace analytics::query {

void EngagementSums::add(std::uint32_t group, VisitId visit, std::int64_t millis,
                         std::int64_t depth) {
  if (group >= groups_.size()) groups_.resize(group + std::size_t{1});
  auto& of_group = groups_[group];
  auto& sum = of_group.sum;
  auto& seen = known(of_group, group, visit);
  if (millis >= 0) {
    sum.millis += millis;
    sum.visits += seen.is_timed ? 0 : 1;
    seen.is_timed = true;
  }
  if (depth > seen.deepest) {
    const bool is_first = seen.deepest < 0;
    sum.depths += is_first ? depth : depth - seen.deepest;
    sum.depth_visits += is_first ? 1 : 0;
    seen.deepest = static_cast<std::int8_t>(depth);
  }
}

EngagementSums::Known& EngagementSums::known(OfGroup& group, std::uint32_t number, VisitId visit) {
  if (visit >= EventBatch::kPassingVisits) {
    if (group.passing != visit) group.of_passing = {};
    group.passing = visit;
    return group.of_passing;
  }
  const auto place = visits_.number(static_cast<std::uint64_t>(visit));
  const auto pair = pairs_.number(std::uint64_t{place} << 32 | number);
  if (pair == of_pairs_.size()) of_pairs_.emplace_back();
  return of_pairs_[pair];
}

void EngagementSums::finish() {
  visits_ = {};
  pairs_ = {};
  of_pairs_ = {};
}

std::size_t EngagementSums::memory() const {
  return groups_.capacity() * sizeof(groups_[0]) + visits_.memory() + pairs_.memory() +
         of_pairs_.capacity() * sizeof(of_pairs_[0]);
}

}  // namespace analytics::query
