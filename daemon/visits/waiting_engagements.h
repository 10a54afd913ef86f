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

/// Engagements for which there was no visit when they arrived. They wait in memory for an event
/// that makes a visit within their reach, because a pageview may arrive after the report of its
/// reading time. Their senders were told that they were dropped, so a restart may forget them.
/// Used on the writer's thread, inside its transactions.
class WaitingEngagements {
 public:
  /// Maximum memory of the engagements: 32 MiB. Beyond it, the oldest are dropped.
  static constexpr std::size_t kMaxBytes = 33'554'432;
  /// Maximum number of waiting engagements of a visitor, so that take() returns no more at once.
  static constexpr std::size_t kMaxOfVisitor = 1'000;

  /// Maximum time that an engagement waits. Salts are destroyed by then, and without a salt no
  /// visit of the visitor can be found.
  static constexpr std::chrono::hours kMostWait{48};

  void add(const Event& event, UnixSeconds now);
  /// Takes out and returns the engagements that share a visitor with `event` and for which
  /// `has_visit` returns true. The pointers are valid until committed() or rolled_back().
  [[nodiscard]] std::vector<const Event*> take(const Event& event,
                                               const std::function<bool(const Event&)>& has_visit);
  /// Forgets all engagements of a site.
  void forget(SiteId site);
  /// Forgets engagements that have waited for longer than kMostWait.
  void expire(UnixSeconds now);

  void committed();
  void rolled_back();  ///< Puts back taken engagements and forgets added ones.
  /// Returns the approximate memory of the waiting engagements, in bytes. Any thread.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  using Number = std::uint64_t;  ///< Number of an engagement, in order of arrival.
  struct Waiting {
    Event event;
    UnixSeconds since;
  };
  using Events = std::map<Number, Waiting>;

  void learn_beside(Events::iterator at, const VisitKeys& keys);
  void link(Number number, const Event& event);
  Events::node_type unlink(Events::iterator at);

  Events events_;
  /// Numbers of engagements by each visitor id in their visit_keys.
  std::unordered_multimap<std::uint64_t, Number> by_visitor_;
  Number next_ = 1;
  Number first_of_transaction_ = 1;
  Events taken_;  ///< Engagements that this transaction has taken out.
  std::atomic<std::size_t> bytes_{0};
};

}  // namespace analytics
