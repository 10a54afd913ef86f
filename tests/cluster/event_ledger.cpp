#include "tests/cluster/event_ledger.h"

#include <algorithm>

namespace analytics::test {

EventLedger::EventLedger(std::size_t visitors, std::size_t nodes)
    : events_(1), acknowledged_(nodes), pairs_(nodes, std::vector<Pair>(visitors)) {}

std::int64_t EventLedger::begin(std::size_t visitor, std::vector<std::size_t> nodes) {
  const std::scoped_lock lock(mutex_);
  for (const auto node : nodes) ++pairs_[node][visitor].unanswered;
  events_.push_back({visitor, std::move(nodes)});
  return std::ssize(events_) - 1;
}

void EventLedger::acknowledge(std::int64_t number, std::size_t node) {
  const std::scoped_lock lock(mutex_);
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  auto& event = events_[static_cast<std::size_t>(number)];
  event.is_acknowledged = true;
  for (const auto each : event.nodes) --pairs_[each][event.visitor].unanswered;
  acknowledged_[node].push_back(now);
  auto& first = pairs_[node][event.visitor].acknowledged;
  if (!first) first = now;
}

EventLedger::Bounds EventLedger::events(UnixMillis time,
                                        const std::set<std::size_t>& behind) const {
  const std::scoped_lock lock(mutex_);
  Bounds bounds{0, std::ssize(events_) - 1};
  for (std::size_t node = 0; node < acknowledged_.size(); ++node) {
    if (behind.contains(node)) continue;
    const auto& times = acknowledged_[node];
    bounds.least += std::lower_bound(times.begin(), times.end(), time) - times.begin();
  }
  return bounds;
}

EventLedger::Bounds EventLedger::visits(UnixMillis time,
                                        const std::set<std::size_t>& behind) const {
  const std::scoped_lock lock(mutex_);
  Bounds bounds;
  for (std::size_t node = 0; node < pairs_.size(); ++node) {
    for (const auto& pair : pairs_[node]) {
      bounds.most += pair.unanswered > 0 || pair.acknowledged ? 1 : 0;
      const bool counts = !behind.contains(node) && pair.acknowledged && *pair.acknowledged < time;
      bounds.least += counts ? 1 : 0;
    }
  }
  return bounds;
}

std::int64_t EventLedger::sent() const {
  const std::scoped_lock lock(mutex_);
  return std::ssize(events_) - 1;
}

std::int64_t EventLedger::lost_from(const std::set<std::int64_t>& stored) const {
  const std::scoped_lock lock(mutex_);
  std::int64_t lost = 0;
  for (std::size_t number = 1; number < events_.size(); ++number) {
    const bool is_lost =
        events_[number].is_acknowledged && !stored.contains(static_cast<std::int64_t>(number));
    lost += is_lost ? 1 : 0;
  }
  return lost;
}

}  // namespace analytics::test
