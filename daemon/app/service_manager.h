#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// Talks to systemd if it has started the daemon: sd_notify(3), sd_listen_fds(3),
/// sd_watchdog_enabled(3). Otherwise these functions do nothing.
namespace analytics::service_manager {

/// Reports the state of the daemon, in lines such as "READY=1".
void tell(const std::string& state);

/// Returns the listening sockets of a socket unit, which the caller then owns. Must be called only
/// once. Throws AppError for a socket that is not TCP.
[[nodiscard]] std::vector<int> take_sockets();

/// Returns how long the daemon may be silent; nullopt without a watchdog.
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_time();

/// Asks for more time to start, because a database may need minutes to recover, or for an upgrade.
/// Must be repeated every kAskForTimeEvery.
void ask_for_time();
inline constexpr std::chrono::seconds kAskForTimeEvery{5};

}  // namespace analytics::service_manager
