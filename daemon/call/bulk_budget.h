#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace analytics::api {

/// Bounds the bytes of bulk requests that are in memory at once. Any thread.
class BulkBudget {
 public:
  explicit BulkBudget(std::size_t bytes) : left_(static_cast<std::ptrdiff_t>(bytes)) {}

  /// Holds the bytes until what is returned goes; null when they are not there. The budget must
  /// outlive it.
  [[nodiscard]] std::shared_ptr<void> reserve(std::size_t bytes) {
    const auto wanted = static_cast<std::ptrdiff_t>(bytes);
    if (left_.fetch_sub(wanted) < wanted) {
      left_.fetch_add(wanted);
      return nullptr;
    }
    return {this, [this, wanted](void*) { left_.fetch_add(wanted); }};
  }

 private:
  std::atomic<std::ptrdiff_t> left_;
};

}  // namespace analytics::api
