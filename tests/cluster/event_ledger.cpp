#include "tests/cluster/event_ledger.h"

#include <algorithm>

namespace analytics::test {

EventLedger::EventLedger(std::size_t visitors, std::size_t nodes)
    : is_acknowledged_(1), acknowledged_(nodes), pairs_(nodes, std::vector<Pair>(visitors)) {}

std::int64_t EventLedger::begin(std::size_t visitor, std::size_t node) {
  const std::scoped_lock lock(mutex_);
  pairs_[node][visitor].is_sent = true;
  is_acknowledged_.push_back(false);
  return std::ssize(is_acknowledged_) - 1;
}

void EventLedger::acknowledge(std::int64_t event, std::size_t visitor, std::size_t node) {
  const std::scoped_lock lock(mutex_);
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  is_acknowledged_[static_cast<std::size_t>(event)] = true;
  acknowledged_[node].push_back(now);
  auto& first = pairs_[node][visitor].acknowledged;
  if (!first) first = now;
}

EventLedger::Bounds EventLedger::events(UnixMillis time,
                                        const std::set<std::size_t>& behind) const {
  const std::scoped_lock lock(mutex_);
  Bounds bounds{0, std::ssize(is_acknowledged_) - 1};
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
      bounds.most += pair.is_sent ? 1 : 0;
      const bool counts = !behind.contains(node) && pair.acknowledged && *pair.acknowledged < time;
      bounds.least += counts ? 1 : 0;
    }
  }
  return bounds;
}

std::int64_t EventLedger::sent() const {
  const std::scoped_lock lock(mutex_);
  return std::ssize(is_acknowledged_) - 1;
}

std::int64_t EventLedger::lost_from(const std::set<std::int64_t>& stored) const {
  const std::scoped_lock lock(mutex_);
  std::int64_t lost = 0;
  for (std::size_t event = 1; event < is_acknowledged_.size(); ++event) {
    const bool is_lost =
        is_acknowledged_[event] && !stored.contains(static_cast<std::int64_t>(event));
    lost += is_lost ? 1 : 0;
  }
  return lost;
}

}  // namespace analytics::test
