#include "daemon/store/sqlite/budget.h"

#include <sqlite3.h>

namespace analytics::sqlite {
namespace {

constexpr int kSteps = 10'000;  // of SQLite's virtual machine: well below a millisecond

}  // namespace

Budget::Budget(Connection& connection, const store::StatsLimits& limits,
               const std::atomic<bool>& cancelled)
    : connection_(connection),
      memory_(limits.memory),
      end_(std::chrono::steady_clock::now() + limits.deadline),
      cancelled_(cancelled) {
  sqlite3_progress_handler(
      connection_.handle(), kSteps,
      [](void* self) { return static_cast<const Budget*>(self)->is_over() ? 1 : 0; }, this);
}

Budget::~Budget() { sqlite3_progress_handler(connection_.handle(), 0, nullptr, nullptr); }

bool Budget::is_over() const { return cancelled_ || std::chrono::steady_clock::now() > end_; }

void Budget::check_time() const {
  if (is_over()) throw SqliteError(SQLITE_INTERRUPT, "the question's time is over");
}

void Budget::check(std::size_t memory) const {
  check_time();
  if (charged_ + memory > memory_) refuse_memory();
}

void Budget::refuse_memory() {
  throw SqliteError(SQLITE_TOOBIG, "the question's memory is used up");
}

}  // namespace analytics::sqlite
