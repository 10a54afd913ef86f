#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// The other side of the unit, if systemd has started the daemon: sd_notify(3), sd_listen_fds(3),
/// sd_watchdog_enabled(3). Without it all of this does nothing.
namespace analytics::service_manager {

/// Says what the daemon does now: lines such as "READY=1".
void tell(const std::string& state);

/// Returns the listening sockets of a socket unit, which the caller owns. Once. Throws AppError for
/// one that is not of TCP.
[[nodiscard]] std::vector<int> take_sockets();

/// Returns how long the daemon may be silent; none if nobody watches.
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_time();

/// Asks for more time to start: a database may need minutes to recover, or to be upgraded. To be
/// repeated every kAskForTimeEvery.
void ask_for_time();
inline constexpr std::chrono::seconds kAskForTimeEvery{5};

}  // namespace analytics::service_manager
