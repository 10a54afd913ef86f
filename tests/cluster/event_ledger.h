#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "common/time.h"

namespace analytics::test {

/// Records which events were sent to the nodes of a cluster, and when each was acknowledged, and
/// derives how many an answer must have and may have. Visitors and nodes are counted from 0, events
/// have numbers from 1 on. Any thread.
class EventLedger {
 public:
  EventLedger(std::size_t visitors, std::size_t nodes);

  /// Returns the number of an event that is about to be sent to one of these nodes.
  [[nodiscard]] std::int64_t begin(std::size_t visitor, std::vector<std::size_t> nodes);
  /// One of its nodes has acknowledged it, for the first time.
  void acknowledge(std::int64_t event, std::size_t node);

  struct Bounds {
    std::int64_t least = 0;
    std::int64_t most = 0;
    [[nodiscard]] bool has(std::int64_t value) const { return least <= value && value <= most; }
  };
  /// Returns the bounds for an answer that has come now, if it has all events that were
  /// acknowledged before `time`, except those of the nodes that are behind.
  [[nodiscard]] Bounds events(UnixMillis time, const std::set<std::size_t>& behind) const;
  /// Returns the bounds for its visits: a visitor without a pause of half an hour has one on each
  /// node.
  [[nodiscard]] Bounds visits(UnixMillis time, const std::set<std::size_t>& behind) const;

  [[nodiscard]] std::int64_t sent() const;
  /// Returns how many acknowledged events are not among these numbers.
  [[nodiscard]] std::int64_t lost_from(const std::set<std::int64_t>& stored) const;

 private:
  struct Event {
    std::size_t visitor = 0;
    std::vector<std::size_t> nodes{};  ///< Of which one may have it.
    bool is_acknowledged = false;
  };
  /// A visitor on a node.
  struct Pair {
    std::int64_t unanswered = 0;             ///< Events that the node may have.
    std::optional<UnixMillis> acknowledged;  ///< First.
  };

  mutable std::mutex mutex_;
  std::vector<Event> events_;                          ///< By number.
  std::vector<std::vector<UnixMillis>> acknowledged_;  ///< By node, in order.
  std::vector<std::vector<Pair>> pairs_;               ///< By node and visitor.
};

}  // namespace analytics::test
