#include "daemon/query/budget.h"

namespace analytics::query {

Budget::Budget(const Limits& limits, const std::atomic<bool>& cancelled, Abandoned abandoned)
    : memory_(limits.memory),
      end_(std::chrono::steady_clock::now() + limits.deadline),
      cancelled_(cancelled),
      abandoned_(std::move(abandoned)) {}

bool Budget::is_time_over() const {
  return cancelled_ || is_abandoned(abandoned_) || std::chrono::steady_clock::now() > end_;
}

void Budget::check(std::size_t memory) const {
  check_time();
  if (charged_ + memory > memory_) refuse_memory();
}

void Budget::refuse_time() { throw LimitReached(kTimeIsOver); }

void Budget::refuse_memory() {
  throw LimitReached("The query takes too much memory; narrow its range or dimensions.");
}

}  // namespace analytics::query
