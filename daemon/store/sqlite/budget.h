#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/stats_store.h"

namespace analytics::sqlite {

/// The limits of one query. While it lives, a statement of the connection that runs for too long
/// ends with SQLITE_INTERRUPT.
class Budget {
 public:
  /// `cancelled` ends the question at once. What is given outlives it.
  Budget(Connection& connection, const store::StatsLimits& limits,
         const std::atomic<bool>& cancelled);
  ~Budget();
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Throws SqliteError when the time is over: for work that is not SQLite's.
  void check_time() const;
  /// Throws SqliteError when the time is over, or when `memory` bytes and those charged are more
  /// than one query may keep.
  void check(std::size_t memory) const;
  /// Counts bytes where they are allocated. Throws SqliteError when one query may not keep them.
  void charge(std::size_t bytes) {
    charged_ += bytes;
    if (charged_ > memory_) refuse_memory();
  }
  /// Bytes charged so far. release_to() takes back all charges after that point.
  [[nodiscard]] std::size_t charged() const { return charged_; }
  void release_to(std::size_t charged) { charged_ = charged; }

 private:
  [[nodiscard]] bool is_over() const;
  [[noreturn]] static void refuse_memory();

  Connection& connection_;
  const std::size_t memory_;
  std::size_t charged_ = 0;
  const std::chrono::steady_clock::time_point end_;
  const std::atomic<bool>& cancelled_;
};

}  // namespace analytics::sqlite
