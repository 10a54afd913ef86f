#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/config/config.h"

namespace analytics {

/// All objects that live as long as the daemon. Built top-down, torn down bottom-up.
class App {
 public:
  /// Opens the store and binds the addresses; answers no requests yet. `lost` is called on the
  /// writer thread when the process must end at once. Throws AppError with the exit code.
  App(const Config& config, std::function<void()> lost);
  ~App();

  void start();
  /// Applies every setting that may change while the daemon runs. Logs the changed settings that
  /// need a restart.
  void reload(const Config& config);
  /// Logs why the settings stay unchanged.
  void refuse_reload(const Error& error);
  /// Stops accepting connections, answers pending requests, writes queued events, and empties the
  /// store's log. Idempotent.
  void stop();
  [[nodiscard]] std::vector<std::string> addresses() const;
  /// Returns the addresses that serve /metrics.
  [[nodiscard]] std::vector<std::string> admin_addresses() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace analytics
