#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/config/config.h"

namespace analytics {

/// The daemon: owns all its objects, starts and stops them in order.
class App {
 public:
  /// Opens the store and binds the addresses; answers no requests yet. `lost` must end the process
  /// at once; it is called on the writer thread if a sync failed or another process changed the
  /// database. Throws AppError with the exit code.
  App(const Config& config, std::function<void()> lost);
  ~App();

  /// Starts the threads and answers requests from now on.
  void start();
  /// Applies the settings that may change while the daemon runs. Logs the changed settings that
  /// need a restart.
  void reload(const Config& config);
  /// Logs that new settings are invalid and the old ones stay in force.
  void refuse_reload(const Error& error);
  /// Stops accepting connections, answers pending requests, writes queued events, and empties the
  /// database's WAL. Idempotent.
  void stop();
  /// Returns the addresses that the daemon listens on, such as "127.0.0.1:8000".
  [[nodiscard]] std::vector<std::string> addresses() const;
  /// Returns the addresses of the admin listener, which serves /metrics; empty without one.
  [[nodiscard]] std::vector<std::string> admin_addresses() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace analytics
