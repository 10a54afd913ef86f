#pragma once

#include <optional>

#include "daemon/cluster/reading/event_counts.h"
#include "daemon/cluster/reading/event_scan.h"
#include "daemon/cluster/reading/raw_events.h"

namespace analytics::cluster {

/// The source from which the executor reads a site's events on all nodes of a cluster, up to the
/// nodes' marks. Functions throw ReadFailed, and LimitReached if the query's time or memory is used
/// up.
class ClusterEvents final : public query::EventSource {
 public:
  /// The references must outlive the object.
  ClusterEvents(const ReadAccess& access, const EventsOf& events)
      : access_(access), events_(events), texts_(access.budget) {}

  [[nodiscard]] std::unique_ptr<query::BatchSource> scan(const TimeRange& range,
                                                         const query::ColumnSet& columns) override {
    return std::make_unique<EventScan>(access_, events_, range, columns, EventScan::Of::kEvents,
                                       texts_, keys_, moves_);
  }
  [[nodiscard]] std::unique_ptr<query::BatchSource> scan_engagements(
      const TimeRange& range, const query::ColumnSet& columns) override {
    return std::make_unique<EventScan>(access_, events_, range, columns,
                                       EventScan::Of::kEngagements, texts_, keys_, moves_);
  }
  [[nodiscard]] std::unique_ptr<query::RawSource> scan_raw(const TimeRange& range) override {
    if (!moves_) moves_.emplace(access_, events_.marks, events_.site, keys_);
    return std::make_unique<RawClusterEvents>(access_, events_, range, texts_, keys_, *moves_);
  }
  [[nodiscard]] bool sum(const Aggregation& aggregation, const query::TakeGroup& take) override {
    auto counts = EventCounts::of(aggregation, events_.marks, texts_);
    if (!counts || EventCounts::has_moved(access_, aggregation.selection, events_.marks)) {
      return false;
    }
    counts->read(access_, take);
    return true;
  }
  [[nodiscard]] EventTexts& texts() override { return texts_; }

 private:
  const ReadAccess access_;
  const EventsOf events_;
  EventTexts texts_;
  NodeKeys keys_;
  /// Events that have moved to other visits. Read by the first scan that needs visits.
  std::optional<VisitMoves> moves_;
};

}  // namespace analytics::cluster
