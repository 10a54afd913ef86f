#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>

#include "common/run/abandoned.h"
#include "common/run/memory_ledger.h"

namespace analytics::query {

/// Limits on the time and memory of a query.
struct Limits {
  std::chrono::milliseconds deadline{10'000};
  /// Maximum memory of the query's groups, texts, visitors and visits, in bytes.
  std::size_t memory = 268'435'456;
};

inline constexpr char kTimeIsOver[] = "The query takes too long; narrow its range or filters.";
inline constexpr char kMemoryIsShort[] = "The service is short of memory; try again later.";

/// Thrown when a query must end: its time or memory is used up, or its result is no longer wanted.
/// what() is a sentence for the client.
class LimitReached : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The time and memory that a query has left. Use it on one thread at a time, except for
/// is_time_over() and check_time().
class Budget {
 public:
  /// The query ends when any thread sets `cancelled`, which must outlive the budget, or
  /// `abandoned`. The budget reports the memory in use to `item`, the query's item in the
  /// MemoryLedger, unless it is null. The query also ends when the ledger drops `item` to make room
  /// for others.
  Budget(const Limits& limits, const std::atomic<bool>& cancelled, Abandoned abandoned = nullptr,
         MemoryLedger::Item* item = nullptr);

  /// Returns true if the query must end: after its deadline, or because it was cancelled,
  /// abandoned, or dropped by the memory ledger.
  [[nodiscard]] bool is_time_over() const;
  /// Throws LimitReached if is_time_over().
  void check_time() const {
    if (is_time_over()) refuse_more();
  }
  /// Throws LimitReached if is_time_over(), or if `memory` bytes and the charged bytes together
  /// exceed the limit of memory.
  void check(std::size_t memory) const;
  /// Counts bytes against the limit of memory. Call it where the bytes are allocated. Throws
  /// LimitReached if the limit is exceeded or the memory ledger has dropped the query.
  void charge(std::size_t bytes) {
    if (bytes > memory_ - std::min(charged_, memory_)) refuse_memory();
    charged_ += bytes;
    count(charged_);
  }
  /// Gives back bytes that charge() has counted.
  void release(std::size_t bytes) { charged_ -= bytes; }
  [[nodiscard]] std::size_t charged() const { return charged_; }

 private:
  [[noreturn]] void refuse_more() const;
  [[noreturn]] static void refuse_memory();
  /// Reports to item_ that the query uses `bytes` bytes, if that is more than it has reported
  /// before.
  void count(std::size_t bytes) const {
    if (bytes > counted_ && item_ != nullptr) count_more(bytes);
  }
  void count_more(std::size_t bytes) const;

  const std::size_t memory_;
  std::size_t charged_ = 0;
  const std::chrono::steady_clock::time_point end_;
  const std::atomic<bool>& cancelled_;
  const Abandoned abandoned_;
  MemoryLedger::Item* const item_;
  mutable std::size_t counted_ = 0;  ///< Bytes reported to item_.
};

/// Charges memory to a budget; the destructor releases all of it.
class Charges {
 public:
  /// The budget must outlive the object.
  explicit Charges(Budget& budget) : budget_(budget) {}
  ~Charges() { budget_.release(bytes_); }
  Charges(const Charges&) = delete;
  Charges& operator=(const Charges&) = delete;

  /// Charges bytes to the budget. Throws LimitReached as Budget::charge() does.
  void add(std::size_t bytes) {
    budget_.charge(bytes);
    bytes_ += bytes;
  }
  [[nodiscard]] Budget& budget() const { return budget_; }

 private:
  Budget& budget_;
  std::size_t bytes_ = 0;
};

}  // namespace analytics::query
