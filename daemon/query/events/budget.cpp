#include "daemon/query/events/budget.h"

namespace analytics::query {

namespace {
// Memory is reported to the ledger in steps of 1 MiB.
constexpr std::size_t kCountedAtOnce = 1'048'576;
}  // namespace

Budget::Budget(const Limits& limits, const std::atomic<bool>& cancelled, Abandoned abandoned,
               MemoryLedger::Item* item)
    : memory_(limits.memory),
      end_(std::chrono::steady_clock::now() + limits.deadline),
      cancelled_(cancelled),
      abandoned_(std::move(abandoned)),
      item_(item) {}

bool Budget::is_time_over() const {
  return cancelled_ || is_abandoned(abandoned_) || (item_ != nullptr && item_->is_dropped()) ||
         std::chrono::steady_clock::now() > end_;
}

void Budget::check(std::size_t memory) const {
  check_time();
  if (charged_ + memory > memory_) refuse_memory();
  count(charged_ + memory);
}

void Budget::count_more(std::size_t bytes) const {
  counted_ = (bytes / kCountedAtOnce + 1) * kCountedAtOnce;
  if (!item_->set(counted_)) refuse_more();
}

void Budget::refuse_more() const {
  throw LimitReached(item_ != nullptr && item_->is_dropped() ? kMemoryIsShort : kTimeIsOver);
}

void Budget::refuse_memory() {
  throw LimitReached("The query takes too much memory; narrow its range or dimensions.");
}

}  // namespace analytics::query
