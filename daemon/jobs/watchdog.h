#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace analytics {

/// Checks whether threads still run the work they are given.
class Watchdog {
 public:
  /// Queues work on a thread; the work only calls `answer`.
  using Ping = std::function<void(std::function<void()> answer)>;
  explicit Watchdog(std::vector<Ping> threads);

  /// Returns true if every thread has answered the previous pings, and then sends new ones. The
  /// first call always returns true.
  [[nodiscard]] bool is_alive();

 private:
  std::vector<Ping> threads_;
  /// Number of pings not answered yet. Shared with the queued work, which may outlive this object.
  std::shared_ptr<std::atomic<std::size_t>> waiting_;
};

}  // namespace analytics
