#include "daemon/app/service_manager.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

#include "daemon/config/exit_code.h"

namespace analytics::service_manager {
namespace {

constexpr std::chrono::seconds kTimeAskedFor{60};

}  // namespace

void tell(const std::string& state) { (void)sd_notify(0, state.c_str()); }

std::vector<int> take_sockets() {
  constexpr int kForgetVariables = 1;  // unsets $LISTEN_FDS, so that child processes ignore it
  const int count = sd_listen_fds(kForgetVariables);
  std::vector<int> sockets;
  for (int i = 0; i < count; ++i) {
    const int socket = SD_LISTEN_FDS_START + i;
    if (sd_is_socket_inet(socket, AF_UNSPEC, SOCK_STREAM, 1, 0) <= 0) {
      throw AppError(ExitCode::kConfig,
                     "a socket of the socket unit does not listen for TCP: use ListenStream= with "
                     "an address and a port");
    }
    (void)fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
    sockets.push_back(socket);
  }
  return sockets;
}

std::optional<std::chrono::microseconds> watchdog_time() {
  std::uint64_t microseconds = 0;
  if (sd_watchdog_enabled(0, &microseconds) <= 0) return std::nullopt;
  return std::chrono::microseconds(microseconds);
}

void ask_for_time() {
  const auto time = std::chrono::microseconds(kTimeAskedFor).count();
  tell("EXTEND_TIMEOUT_USEC=" + std::to_string(time) + "\nSTATUS=opening the database");
}

}  // namespace analytics::service_manager
