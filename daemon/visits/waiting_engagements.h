#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "daemon/model/event.h"

namespace analytics {

/// Engagements that reached no visit when they arrived. They wait in memory for an event that
/// brings a visit within their reach, because a pageview may arrive later than the report of its
/// reading time. Their senders were told that they are dropped, so a restart may lose them. Used on
/// the writer's thread, inside its transactions.
class WaitingEngagements {
 public:
  /// Maximum memory of the engagements, 32 MiB. Above it, the oldest engagements are deleted.
  static constexpr std::size_t kMaxBytes = 33'554'432;
  /// Maximum number of engagements of a visitor; add() ignores further ones.
  static constexpr std::size_t kMaxOfVisitor = 1'000;

  /// Keeps a copy of an engagement until `until`, when the salt of the engagement's day is
  /// destroyed: without the salt, no visit of the visitor can be found. Ignores the engagement if
  /// it repeats one that is kept: with the same idempotency key, or with the same visitor, time and
  /// page.
  void add(const Event& event, UnixSeconds until);
  /// Takes out the engagements of the event's visitor that are within reach of the event. REQUIRES:
  /// the event has joined a visit. The result is valid until committed() or rolled_back().
  [[nodiscard]] std::vector<const Event*> take(const Event& event);
  /// Deletes all engagements of a site.
  void forget(SiteId site);
  /// Deletes the engagements whose salts are destroyed.
  void expire(UnixSeconds now);

  void committed();
  void rolled_back();  ///< Undoes what the transaction added and took.
  /// Returns the approximate memory of the waiting engagements, in bytes. Any thread.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  using Number = std::uint64_t;  ///< Number of an engagement, in order of arrival.
  struct Waiting {
    Event event;
    UnixSeconds until;
  };
  using Events = std::map<Number, Waiting>;
  using ByTime = std::multimap<UnixMillis, Number>;

  [[nodiscard]] bool is_repetition(const Event& event) const;
  void learn_beside(Events::iterator at, const VisitKeys& keys);
  void link(std::uint64_t visitor, const Event& event, Number number);
  Events::node_type unlink(Events::iterator at);

  Events events_;
  /// Numbers of the engagements by their time, under each visitor id in their visit_keys.
  std::unordered_map<std::uint64_t, ByTime> by_visitor_;
  Number next_ = 1;
  Number first_of_transaction_ = 1;
  Events taken_;                               ///< Engagements that this transaction has taken out.
  UnixSeconds next_end_ = UnixSeconds::max();  ///< Time before which no engagement expires.
  std::atomic<std::size_t> bytes_{0};
};

}  // namespace analytics
