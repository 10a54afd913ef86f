#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/stats_store.h"

namespace analytics::sqlite {

/// What a question may take. While it lives, a statement of the connection that goes on for too
/// long ends as well, with SQLITE_INTERRUPT.
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
  /// The same, and when the question holds more bytes than it may.
  void check(std::size_t memory) const;

 private:
  [[nodiscard]] bool is_over() const;

  Connection& connection_;
  const std::size_t memory_;
  const std::chrono::steady_clock::time_point end_;
  const std::atomic<bool>& cancelled_;
};

}  // namespace analytics::sqlite
