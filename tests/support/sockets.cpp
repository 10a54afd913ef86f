#include "tests/support/sockets.h"

#include <atomic>
#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace analytics::test {

ListeningSocket::ListeningSocket() : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  const int seconds = 240;
  setsockopt(fd_.get(), IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
  if (bind(fd_.get(), any, size) != 0 || listen(fd_.get(), SOMAXCONN) != 0 ||
      getsockname(fd_.get(), any, &size) != 0) {
    throw std::runtime_error("no socket to listen on");
  }
  port_ = ntohs(address.sin_port);
}

std::uint16_t new_port() {
  constexpr int kFirst = 10'000;
  constexpr int kRanges = 2'000;  // if tests share a network, two of them rarely use the same range
  constexpr int kRange = 10;
  static std::atomic<int> next = kFirst + getpid() % kRanges * kRange;
  return static_cast<std::uint16_t>(next++);
}

NotifySocket::NotifySocket(const std::filesystem::path& path)
    : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  const timeval timeout{240, 0};  // only ends tests that hang
  setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  if (bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("no socket for notifications");
  }
}

std::string NotifySocket::await(const std::string& text) const {
  char buffer[4'096];
  while (true) {
    const auto got = recv(fd_.get(), buffer, sizeof buffer, 0);
    if (got <= 0) throw std::runtime_error("the service did not say " + text);
    std::string message(buffer, static_cast<std::size_t>(got));
    if (message.find(text) != std::string::npos) return message;
  }
}

}  // namespace analytics::test
