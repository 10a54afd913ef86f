#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace analytics {

/// A value that many threads read and that is only replaced as a whole. Each thread caches a
/// reference and renews it when the version changes, so that reading takes no lock.
template <typename T>
class Published {
 public:
  explicit Published(T first = T())
      : instance_(next_instance()), current_(std::make_shared<const T>(std::move(first))) {}

  void publish(T value) {
    auto next = std::make_shared<const T>(std::move(value));
    const std::scoped_lock lock(mutex_);
    current_ = std::move(next);
    version_.fetch_add(1, std::memory_order_release);
  }

  [[nodiscard]] std::shared_ptr<const T> snapshot() const {
    struct Seen {
      std::uint64_t instance = 0;
      std::uint64_t version = 0;
      std::shared_ptr<const T> value;
    };
    thread_local Seen seen;
    const auto version = version_.load(std::memory_order_acquire);
    if (seen.instance != instance_ || seen.version != version) {
      const std::scoped_lock lock(mutex_);
      seen = {instance_, version_.load(std::memory_order_relaxed), current_};
    }
    return seen.value;
  }

 private:
  static std::uint64_t next_instance() {
    static std::atomic<std::uint64_t> count{0};
    return ++count;
  }

  const std::uint64_t instance_;  ///< Tells objects of the same type apart in a thread's cache.
  std::atomic<std::uint64_t> version_{0};
  mutable std::mutex mutex_;
  std::shared_ptr<const T> current_;  // guarded by mutex_
};

}  // namespace analytics
