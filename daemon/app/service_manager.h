#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// Talks to systemd if it started the daemon: sd_notify(3), sd_listen_fds(3),
/// sd_watchdog_enabled(3). Without systemd, these functions do nothing.
namespace analytics::service_manager {

/// Reports the daemon's state to systemd, in lines such as "READY=1"; see sd_notify(3).
void tell(const std::string& state);

/// Returns the listening sockets that systemd passes from a socket unit; empty without one. The
/// caller then owns them. Must be called only once. Throws AppError for a socket that is not TCP.
[[nodiscard]] std::vector<int> take_sockets();

/// Returns the timeout of systemd's watchdog: the daemon must report "WATCHDOG=1" more often.
/// Returns nullopt if the watchdog is off.
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_time();

/// Asks systemd for another minute to start, because recovering or upgrading a database may take
/// minutes. Call it every kAskForTimeEvery until the daemon is ready.
void ask_for_time();
inline constexpr std::chrono::seconds kAskForTimeEvery{5};

}  // namespace analytics::service_manager
