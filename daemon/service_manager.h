#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

/// What systemd, if it has started the daemon, is told and has handed over: sd_notify(3),
/// sd_listen_fds(3), sd_watchdog_enabled(3). Without it all of this does nothing.
namespace analytics::service_manager {

/// Says what the daemon does now: lines such as "READY=1".
void tell(const std::string& state);

/// Returns the listening sockets of a socket unit, which the caller owns. Once. Throws AppError for
/// one that is not of TCP.
[[nodiscard]] std::vector<int> take_sockets();

/// Returns how long the daemon may be silent; none if nobody watches.
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_time();

/// Asks for more time for as long as it lives: a database may need minutes to recover, or to be
/// upgraded.
class SlowStart {
 public:
  SlowStart();
  ~SlowStart();
  SlowStart(const SlowStart&) = delete;
  SlowStart& operator=(const SlowStart&) = delete;

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_over_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace analytics::service_manager
