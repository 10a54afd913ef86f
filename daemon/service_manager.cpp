#include "daemon/service_manager.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

#include "daemon/exit_code.h"

namespace analytics::service_manager {
namespace {

constexpr std::chrono::seconds kAskEvery{5};
constexpr std::chrono::seconds kAskFor{60};

}  // namespace

void tell(const std::string& state) { (void)sd_notify(0, state.c_str()); }

std::vector<int> take_sockets() {
  constexpr int kForgetVariables = 1;  // no child takes them for its own
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

SlowStart::SlowStart() : thread_([this] { run(); }) {}

SlowStart::~SlowStart() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void SlowStart::run() {
  const auto more =
      "EXTEND_TIMEOUT_USEC=" + std::to_string(std::chrono::microseconds(kAskFor).count());
  std::unique_lock lock(mutex_);
  do {
    tell(more + "\nSTATUS=opening the database");
  } while (!wake_.wait_for(lock, kAskEvery, [&] { return is_over_; }));
}

}  // namespace analytics::service_manager
