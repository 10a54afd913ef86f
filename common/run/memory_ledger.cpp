#include "common/run/memory_ledger.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace analytics {

MemoryLedger::Item::Item(MemoryLedger& ledger, Holder holder, std::string owner,
                         std::function<void()> drop)
    : ledger_(ledger) {
  const std::scoped_lock lock(ledger_.mutex_);
  ++ledger_.held(holder).items;
  ledger_.entries_.emplace_back(holder, std::move(owner), std::move(drop));
  entry_ = std::prev(ledger_.entries_.end());
}

MemoryLedger::Item::~Item() {
  const std::scoped_lock lock(ledger_.mutex_);
  ledger_.release(*entry_);
  ledger_.entries_.erase(entry_);
}

bool MemoryLedger::Item::set(std::size_t bytes) {
  std::vector<std::function<void()>> others;
  bool keeps = true;
  {
    const std::scoped_lock lock(ledger_.mutex_);
    if (entry_->is_dropped) return false;
    ledger_.held(entry_->holder).bytes += bytes - entry_->bytes;
    entry_->bytes = bytes;
    while (keeps) {
      const auto victim = ledger_.next_to_drop(entry_);
      if (victim == ledger_.entries_.end()) break;
      keeps = victim != entry_;
      if (keeps && victim->drop) others.push_back(victim->drop);
      ledger_.drop(*victim);
    }
  }
  for (const auto& drop : others) drop();
  return keeps;
}

std::shared_ptr<void> MemoryLedger::reserve_bulk(std::size_t bytes, std::string owner) {
  auto item = std::make_shared<Item>(*this, Holder::kBulk, std::move(owner));
  return item->set(bytes) ? std::move(item) : nullptr;
}

std::size_t MemoryLedger::bytes(Holder holder) const {
  const std::scoped_lock lock(mutex_);
  return held_[static_cast<std::size_t>(holder)].bytes;
}

std::uint64_t MemoryLedger::dropped(Holder holder) const {
  const std::scoped_lock lock(mutex_);
  return held_[static_cast<std::size_t>(holder)].dropped;
}

std::size_t MemoryLedger::sum() const {
  std::size_t sum = 0;
  for (const auto& holder : held_) sum += holder.bytes;
  return sum;
}

/// Returns the item that must be dropped because `growing` has grown; end() if there is enough
/// room.
MemoryLedger::Entries::iterator MemoryLedger::next_to_drop(Entries::iterator growing) {
  const auto holder = growing->holder;
  const auto& all = held(holder);
  const auto part = limit_ / kHolderPart;
  const bool is_over = all.bytes > part && all.items > 1;
  const auto of_holder = [&](const Entry& entry) { return entry.holder == holder; };
  const auto of_owner = [&](const Entry& entry) {
    return of_holder(entry) && entry.owner == growing->owner;
  };
  const bool is_known = !growing->owner.empty();
  switch (holder) {
    case Holder::kBodies: {
      if (is_over) return oldest(of_holder);
      if (!is_known) break;
      const auto own = held_among(of_owner);
      if (own.bytes > part / kOwnerPart && own.items > 1) return oldest(of_owner);
      break;
    }
    case Holder::kAnswers:
      if (is_over) return oldest_of_greediest(of_holder);
      break;
    case Holder::kBulk: {
      if (all.bytes > part) return growing;
      const auto free = part - (all.bytes - growing->bytes);
      if (is_known && held_among(of_owner).bytes > free) return growing;
      break;
    }
    case Holder::kQueries:
    case Holder::kCaches: break;
  }
  if (sum() <= limit_) return entries_.end();
  const auto victim = oldest_of_greediest([](const Entry& entry) {
    return entry.holder != Holder::kBulk && entry.holder != Holder::kCaches;
  });
  const bool is_lasting = holder == Holder::kCaches;
  return victim == entries_.end() && !is_lasting ? growing : victim;
}

/// Returns the number and the bytes of the items that `among` accepts and that are not dropped.
MemoryLedger::Held MemoryLedger::held_among(const std::function<bool(const Entry&)>& among) const {
  Held own;
  for (const auto& entry : entries_) {
    if (entry.is_dropped || !among(entry)) continue;
    ++own.items;
    own.bytes += entry.bytes;
  }
  return own;
}

MemoryLedger::Entries::iterator MemoryLedger::oldest(
    const std::function<bool(const Entry&)>& among) {
  return std::find_if(entries_.begin(), entries_.end(),
                      [&](const Entry& entry) { return !entry.is_dropped && among(entry); });
}

/// Finds the owner with the most bytes in the items that `among` accepts. Returns the oldest of
/// these items that belongs to this owner and has bytes; end() if none exists.
MemoryLedger::Entries::iterator MemoryLedger::oldest_of_greediest(
    const std::function<bool(const Entry&)>& among) {
  std::map<std::string_view, std::size_t> owners;
  for (const auto& entry : entries_) {
    if (!entry.is_dropped && among(entry)) owners[entry.owner] += entry.bytes;
  }
  const auto greediest =
      std::max_element(owners.begin(), owners.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (greediest == owners.end()) return entries_.end();
  return oldest([&](const Entry& entry) {
    return among(entry) && entry.bytes > 0 && entry.owner == greediest->first;
  });
}

void MemoryLedger::release(Entry& entry) {
  if (entry.is_dropped.exchange(true)) return;
  auto& all = held(entry.holder);
  all.bytes -= entry.bytes;
  --all.items;
}

void MemoryLedger::drop(Entry& entry) {
  ++held(entry.holder).dropped;
  release(entry);
}

}  // namespace analytics
