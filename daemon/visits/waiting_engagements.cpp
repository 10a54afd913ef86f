#include "daemon/visits/waiting_engagements.h"

#include <algorithm>
#include <array>
#include <utility>

namespace analytics {
namespace {

constexpr std::size_t kNodeBytes = 250;  // approximate bytes that the containers add to an event

std::array<std::uint64_t, 3> visitors_of(const Event& event) {
  return {event.visit_keys.own, event.visit_keys.before, event.visit_keys.after};
}

}  // namespace

void WaitingEngagements::add(const Event& event, UnixSeconds now) {
  if (by_visitor_.count(event.visit_keys.own) >= kMaxOfVisitor) return;
  auto kept = event;
  kept.identity = {};
  kept.visit_identity.reset();
  const auto number = next_++;
  bytes_ += memory_of(kept) + kNodeBytes;
  link(number, kept);
  events_.emplace_hint(events_.end(), number, Waiting{std::move(kept), now});
  while (bytes_ > kMaxBytes) unlink(events_.begin());
}

std::vector<const Event*> WaitingEngagements::take(
    const Event& event, const std::function<bool(const Event&)>& has_visit) {
  std::vector<const Event*> found;
  if (events_.empty()) return found;
  std::vector<Number> numbers;
  for (const auto visitor : visitors_of(event)) {
    if (visitor == 0) continue;
    const auto [from, to] = by_visitor_.equal_range(visitor);
    std::for_each(from, to, [&](const auto& entry) { numbers.push_back(entry.second); });
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const auto number : numbers) {
    const auto at = events_.find(number);
    learn_beside(at, event.visit_keys);
    if (!has_visit(at->second.event)) continue;
    found.push_back(&taken_.insert(unlink(at)).position->second.event);
  }
  return found;
}

/// Adds a visitor id to a waiting engagement: the visitor's id on a neighbouring day, from an
/// event of that day that also has the id on the engagement's day. The engagement lacks it if that
/// day had no salt when the engagement arrived.
void WaitingEngagements::learn_beside(Events::iterator at, const VisitKeys& keys) {
  auto& known = at->second.event.visit_keys;
  auto& beside = keys.after == known.own ? known.before : known.after;
  const bool is_beside = keys.after == known.own || keys.before == known.own;
  if (!is_beside || beside != 0) return;
  beside = keys.own;
  by_visitor_.emplace(beside, at->first);
}

void WaitingEngagements::link(Number number, const Event& event) {
  for (const auto visitor : visitors_of(event)) {
    if (visitor != 0) by_visitor_.emplace(visitor, number);
  }
}

WaitingEngagements::Events::node_type WaitingEngagements::unlink(Events::iterator at) {
  for (const auto visitor : visitors_of(at->second.event)) {
    const auto [from, to] = by_visitor_.equal_range(visitor);
    const auto entry =
        std::find_if(from, to, [&](const auto& each) { return each.second == at->first; });
    if (entry != to) by_visitor_.erase(entry);
  }
  bytes_ -= memory_of(at->second.event) + kNodeBytes;
  return events_.extract(at);
}

void WaitingEngagements::forget(SiteId site) {
  for (auto at = events_.begin(); at != events_.end();) {
    const auto current = at++;
    if (current->second.event.site == site) unlink(current);
  }
}

void WaitingEngagements::expire(UnixSeconds now) {
  while (!events_.empty() && events_.begin()->second.since + kMostWait < now) {
    unlink(events_.begin());
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
    link(at->first, at->second.event);
    bytes_ += memory_of(at->second.event) + kNodeBytes;
  }
  committed();
}

}  // namespace analytics
