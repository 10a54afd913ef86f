#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace analytics::api {

/// Bounds the bytes of bulk requests that are in memory at once. Any thread.
class BulkBudget {
 public:
  explicit BulkBudget(std::size_t bytes)
      : size_(bytes), left_(static_cast<std::ptrdiff_t>(bytes)) {}

  /// Returns the size of the whole budget in bytes.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Reserves the bytes until the returned pointer is released; null if too few are left. The
  /// budget must outlive the pointer.
  [[nodiscard]] std::shared_ptr<void> reserve(std::size_t bytes) {
    const auto wanted = static_cast<std::ptrdiff_t>(bytes);
    if (left_.fetch_sub(wanted) < wanted) {
      left_.fetch_add(wanted);
      return nullptr;
    }
    return {this, [this, wanted](void*) { left_.fetch_add(wanted); }};
  }

 private:
  const std::size_t size_;
  std::atomic<std::ptrdiff_t> left_;
};

}  // namespace analytics::api
