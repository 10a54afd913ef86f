#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "daemon/model/event.h"

namespace analytics {

/// Engagements that reached no visit when they came. They wait in memory for an event that makes a
/// visit within their reach, because a pageview may come later than the report of its reading time.
/// Their senders were told that they are dropped, so a restart may forget them. Used on the
/// writer's thread, inside its transactions.
class WaitingEngagements {
 public:
  static constexpr std::size_t kMaxBytes = 33'554'432;  ///< 32 MiB; above it, the oldest leave.
  static constexpr std::size_t kMaxOfVisitor = 1'000;   ///< Limits how many a single event frees.

  /// A salt lives no longer, and without it no visit of the visitor can be found.
  static constexpr std::chrono::hours kMostWait{48};

  void add(const Event& event, UnixSeconds now);
  /// Takes out the engagements that share a visitor with `event` and for which `has_visit` is true.
  /// The result is valid until committed() or rolled_back().
  [[nodiscard]] std::vector<const Event*> take(const Event& event,
                                               const std::function<bool(const Event&)>& has_visit);
  /// Forgets all engagements of a site.
  void forget(SiteId site);
  /// Forgets those that have waited for longer than kMostWait.
  void expire(UnixSeconds now);

  void committed();
  void rolled_back();  ///< Undoes what the transaction added and took.
  /// Returns about how many bytes they take. Any thread.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  using Number = std::uint64_t;  ///< Given in order of arrival.
  struct Waiting {
    Event event;
    UnixSeconds since;
  };
  using Events = std::map<Number, Waiting>;

  void learn_beside(Events::iterator at, const VisitKeys& keys);
  void link(Number number, const Event& event);
  Events::node_type unlink(Events::iterator at);

  Events events_;
  std::unordered_multimap<std::uint64_t, Number> by_visitor_;  ///< Under each id in visit_keys.
  Number next_ = 1;
  Number first_of_transaction_ = 1;
  Events taken_;  ///< By this transaction.
  std::atomic<std::size_t> bytes_{0};
};

}  // namespace analytics
