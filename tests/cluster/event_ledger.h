#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "common/text/time.h"

namespace analytics::test {

/// Records which events were sent to the nodes of a cluster and when each was acknowledged. Derives
/// the lowest and highest count that an answer may contain. Visitors and nodes are numbered from 0,
/// events from 1. Thread-safe.
class EventLedger {
 public:
  EventLedger(std::size_t visitors, std::size_t nodes);

  /// Records an event that will be sent to one of `nodes`, and returns its number.
  [[nodiscard]] std::int64_t begin(std::size_t visitor, std::vector<std::size_t> nodes);
  /// Records the first acknowledgment of the event, by one of its nodes.
  void acknowledge(std::int64_t event, std::size_t node);

  struct Bounds {
    std::int64_t least = 0;
    std::int64_t most = 0;
    [[nodiscard]] bool has(std::int64_t value) const { return least <= value && value <= most; }
  };
  /// Returns the bounds for the event count of an answer that arrived now. The answer must contain
  /// all events acknowledged before `time`, except those of the nodes in `behind`.
  [[nodiscard]] Bounds events(UnixMillis time, const std::set<std::size_t>& behind) const;
  /// Returns the bounds for the visit count. A visitor has one visit on each node, because no pause
  /// lasts half an hour.
  [[nodiscard]] Bounds visits(UnixMillis time, const std::set<std::size_t>& behind) const;

  [[nodiscard]] std::int64_t sent() const;
  /// Returns how many acknowledged events are missing in `stored`.
  [[nodiscard]] std::int64_t lost_from(const std::set<std::int64_t>& stored) const;

 private:
  struct Event {
    std::size_t visitor = 0;
    std::vector<std::size_t> nodes{};  ///< At most one of them stores the event.
    bool is_acknowledged = false;
  };
  /// A visitor's state on a node.
  struct Pair {
    std::int64_t unanswered = 0;  ///< Events that the node may have stored without an answer.
    std::optional<UnixMillis> acknowledged;  ///< Time of the first acknowledgment.
  };

  mutable std::mutex mutex_;
  std::vector<Event> events_;                          ///< Index is the event number.
  std::vector<std::vector<UnixMillis>> acknowledged_;  ///< Index is the node; times in order.
  std::vector<std::vector<Pair>> pairs_;               ///< Indexes are the node and the visitor.
};

}  // namespace analytics::test
