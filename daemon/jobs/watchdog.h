#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace analytics {

/// Finds out whether all of some threads still take up work.
class Watchdog {
 public:
  /// Hands a thread some work, which does no more than say that it was begun.
  using Ping = std::function<void(std::function<void()> answer)>;
  explicit Watchdog(std::vector<Ping> threads);

  /// True once every thread has answered since this was true last: then all are asked again. The
  /// first call is true, since nobody was asked before.
  [[nodiscard]] bool is_alive();

 private:
  std::vector<Ping> threads_;
  std::shared_ptr<std::atomic<std::size_t>> waiting_;  ///< Also held by work that was handed out.
};

}  // namespace analytics
