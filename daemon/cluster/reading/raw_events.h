#pragma once

#include <unordered_set>
#include <vector>

#include "daemon/cluster/reading/event_scan.h"

namespace analytics::cluster {

/// Reads a site's events on all nodes with their own values, not those of their visits. Throws
/// ReadFailed, and LimitReached if the query's time or memory is used up.
class RawClusterEvents final : public query::RawSource {
 public:
  /// The references must outlive the object.
  RawClusterEvents(const ReadAccess& access, const EventsOf& events, const TimeRange& range,
                   EventTexts& texts, NodeKeys& keys, const VisitMoves& moves);
  bool next(query::RawEvents& raw) override;

 private:
  [[nodiscard]] query::RawEvent read(std::size_t row);

  EventTexts& texts_;
  NodeKeys& keys_;
  const VisitMoves& moves_;
  query::Charges charges_;
  const std::unordered_set<VisitKey> named_;  ///< Visits that an import named.
  AnswerRows rows_;
  std::vector<VisitKey> of_block_;  ///< Visit of each event in the current block.
};

}  // namespace analytics::cluster
