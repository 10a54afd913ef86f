#include "daemon/visits/waiting_engagements.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace analytics {
namespace {

/// Approximate size in bytes of an engagement's entries in events_ and by_visitor_.
constexpr std::size_t kEntryBytes = 350;
constexpr std::chrono::milliseconds kLongestActivity{Engagement::kMaxMillis};
/// Longest time that an engagement may wait. A longer wait was computed while a clock was wrong.
constexpr std::chrono::hours kLongestWait{72};

std::array<std::uint64_t, 3> visitors_of(const Event& event) {
  return {event.visit_keys.own, event.visit_keys.before, event.visit_keys.after};
}

std::size_t bytes_of(const Event& event) { return memory_of(event) + kEntryBytes; }

/// Returns true if the engagement belongs to the visit that the event has joined.
bool belongs_to_visit_of(const Event& engagement, const Event& event) {
  if (engagement.visit_keys.named != event.visit_keys.named) return false;
  return event.visit_keys.named || activity_of(event).reaches(activity_of(engagement));
}

}  // namespace

void WaitingEngagements::add(const Event& event, UnixSeconds until) {
  for (const auto visitor : visitors_of(event)) {
    const auto of_visitor = by_visitor_.find(visitor);
    if (of_visitor != by_visitor_.end() && of_visitor->second.size() >= kMaxOfVisitor) return;
  }
  if (is_repetition(event)) return;
  const auto number = next_++;
  auto& kept = events_.emplace_hint(events_.end(), number, Waiting{event, until})->second.event;
  kept.identity = {};
  kept.visit_identity.reset();
  kept.sender = kept.network = 0;
  bytes_ += bytes_of(kept);
  for (const auto visitor : visitors_of(kept)) link(visitor, kept, number);
  next_end_ = std::min(next_end_, until);
  while (bytes_ > kMaxBytes) unlink(events_.begin());
}

bool WaitingEngagements::is_repetition(const Event& event) const {
  const auto of_visitor = by_visitor_.find(event.visit_keys.own);
  if (of_visitor == by_visitor_.end()) return false;
  const auto is_same = [&](const auto& entry) {
    const auto& other = events_.at(entry.second).event;
    if (event.idempotency && other.idempotency) {
      return event.idempotency->hash == other.idempotency->hash;
    }
    return other.time == event.time && other.hostname == event.hostname && other.path == event.path;
  };
  if (event.idempotency) {
    return std::any_of(of_visitor->second.begin(), of_visitor->second.end(), is_same);
  }
  const auto [from, to] = of_visitor->second.equal_range(event.time);
  return std::any_of(from, to, is_same);
}

std::vector<const Event*> WaitingEngagements::take(const Event& event) {
  std::vector<const Event*> found;
  if (events_.empty()) return found;
  // The event can bring its visit within the reach of an engagement only if the event itself
  // reaches the engagement. That is true even if the event connects two visits, because the time
  // between them is within the event's own reach.
  const auto activity = activity_of(event);
  std::set<Number> numbers;
  for (const auto visitor : visitors_of(event)) {
    const auto of_visitor = by_visitor_.find(visitor);
    if (visitor == 0 || of_visitor == by_visitor_.end()) continue;
    auto& by_time = of_visitor->second;
    const bool named = event.visit_keys.named;
    auto at = named ? by_time.begin() : by_time.lower_bound(activity.from - kVisitGap);
    const auto end =
        named ? by_time.end() : by_time.upper_bound(activity.to + kVisitGap + kLongestActivity);
    for (; at != end; ++at) {
      if (belongs_to_visit_of(events_.at(at->second).event, event)) numbers.insert(at->second);
    }
  }
  for (const auto number : numbers) {
    const auto at = events_.find(number);
    learn_beside(at, event.visit_keys);
    found.push_back(&taken_.insert(unlink(at)).position->second.event);
  }
  return found;
}

/// Adds the visitor id on the day before or after the engagement's day to its visit_keys. The
/// engagement lacks that id if the other day had no salt when the engagement arrived. `keys`:
/// visit_keys of an event of the same visitor on that other day.
void WaitingEngagements::learn_beside(Events::iterator at, const VisitKeys& keys) {
  auto& event = at->second.event;
  auto& known = event.visit_keys;
  if (keys.after != known.own && keys.before != known.own) return;
  auto& beside = keys.after == known.own ? known.before : known.after;
  if (beside != 0) return;
  beside = keys.own;
  link(beside, event, at->first);
}

void WaitingEngagements::link(std::uint64_t visitor, const Event& event, Number number) {
  if (visitor != 0) by_visitor_[visitor].emplace(event.time, number);
}

WaitingEngagements::Events::node_type WaitingEngagements::unlink(Events::iterator at) {
  const auto& event = at->second.event;
  for (const auto visitor : visitors_of(event)) {
    const auto of_visitor = by_visitor_.find(visitor);
    if (of_visitor == by_visitor_.end()) continue;
    auto& by_time = of_visitor->second;
    const auto [from, to] = by_time.equal_range(event.time);
    const auto entry =
        std::find_if(from, to, [&](const auto& each) { return each.second == at->first; });
    if (entry != to) by_time.erase(entry);
    if (by_time.empty()) by_visitor_.erase(of_visitor);
  }
  bytes_ -= bytes_of(event);
  return events_.extract(at);
}

void WaitingEngagements::forget(SiteId site) {
  for (auto at = events_.begin(); at != events_.end();) {
    const auto current = at++;
    if (current->second.event.site == site) unlink(current);
  }
}

void WaitingEngagements::expire(UnixSeconds now) {
  const auto is_over = [&](UnixSeconds until) {
    return until <= now || until > now + kLongestWait;
  };
  if (!is_over(next_end_)) return;
  next_end_ = UnixSeconds::max();
  for (auto at = events_.begin(); at != events_.end();) {
    const auto current = at++;
    if (is_over(current->second.until)) {
      unlink(current);
    } else {
      next_end_ = std::min(next_end_, current->second.until);
    }
  }
}

void WaitingEngagements::committed() {
  taken_.clear();
  first_of_transaction_ = next_;
}

void WaitingEngagements::rolled_back() {
  while (!events_.empty() && events_.rbegin()->first >= first_of_transaction_) {
    unlink(std::prev(events_.end()));
  }
  while (!taken_.empty() && taken_.begin()->first < first_of_transaction_) {
    const auto at = events_.insert(taken_.extract(taken_.begin())).position;
    bytes_ += bytes_of(at->second.event);
    for (const auto visitor : visitors_of(at->second.event)) {
      link(visitor, at->second.event, at->first);
    }
  }
  committed();
}

}  // namespace analytics
