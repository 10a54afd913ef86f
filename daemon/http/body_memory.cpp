#include "daemon/http/body_memory.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace analytics::http {

BodyMemory::Share::Share(BodyMemory& memory, std::string client, std::function<void()> give_up)
    : memory_(memory) {
  const std::scoped_lock lock(memory_.mutex_);
  auto& owner = memory_.clients_[client];
  ++owner.bodies;
  ++memory_.bodies_;
  memory_.entries_.push_back({std::move(client), std::move(give_up), 0, false});
  entry_ = std::prev(memory_.entries_.end());
}

BodyMemory::Share::~Share() {
  const std::scoped_lock lock(memory_.mutex_);
  memory_.release(*entry_);
  memory_.entries_.erase(entry_);
}

bool BodyMemory::Share::set(std::size_t bytes) {
  std::vector<std::function<void()>> others;
  bool keeps = true;
  {
    const std::scoped_lock lock(memory_.mutex_);
    if (entry_->is_given_up) return false;
    auto& owner = memory_.clients_[entry_->client];
    owner.bytes += bytes - entry_->bytes;
    memory_.bytes_ += bytes - entry_->bytes;
    entry_->bytes = bytes;
    while (keeps && memory_.is_over(*entry_)) {
      const bool is_total = memory_.bytes_ > memory_.limit_;
      const auto victim = memory_.oldest(is_total ? nullptr : &entry_->client);
      keeps = victim != entry_;
      if (keeps) others.push_back(victim->give_up);
      memory_.release(*victim);
    }
  }
  for (const auto& give_up : others) give_up();
  return keeps;
}

std::size_t BodyMemory::bytes() const {
  const std::scoped_lock lock(mutex_);
  return bytes_;
}

/// Returns true if all bodies, or those of the entry's client, exceed their limit. A single body is
/// never over, because its own limit bounds it.
bool BodyMemory::is_over(const Entry& entry) const {
  if (bytes_ > limit_ && bodies_ > 1) return true;
  const auto& client = clients_.at(entry.client);
  return !entry.client.empty() && client.bodies > 1 && client.bytes > limit_ / kClientPart;
}

/// Returns the oldest body that is not given up, of the client or of all. REQUIRES: there is one.
BodyMemory::Entries::iterator BodyMemory::oldest(const std::string* client) {
  return std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return !entry.is_given_up && (client == nullptr || entry.client == *client);
  });
}

void BodyMemory::release(Entry& entry) {
  if (std::exchange(entry.is_given_up, true)) return;
  const auto owner = clients_.find(entry.client);
  owner->second.bytes -= entry.bytes;
  bytes_ -= entry.bytes;
  --bodies_;
  if (--owner->second.bodies == 0) clients_.erase(owner);
}

}  // namespace analytics::http
