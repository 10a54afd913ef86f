#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/config.h"

namespace analytics {

/// Everything that lives as long as the daemon. Built top-down, torn down bottom-up.
class App {
 public:
  /// Opens the store and binds; answers nothing yet. `lost` is called on the writer thread when the
  /// process must end at once. Throws AppError with the exit code.
  App(const Config& config, std::function<void()> lost);
  ~App();

  void start();
  /// Takes over every setting that may change while it runs, and names in the log those that may
  /// not.
  void reload(const Config& config);
  /// Says in the log why settings stay as they are.
  void refuse_reload(const Error& error);
  /// Stops accepting, answers what is in hand, writes what is queued, empties the log. Idempotent.
  void stop();
  [[nodiscard]] std::vector<std::string> addresses() const;
  /// Addresses that serve /metrics.
  [[nodiscard]] std::vector<std::string> admin_addresses() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace analytics
