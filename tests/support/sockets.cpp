#include "tests/support/sockets.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <utility>

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
  // Number of port ranges; so many that test programs on one network rarely share one.
  constexpr int kRanges = 2'000;
  constexpr int kRange = 10;
  static std::atomic<int> next = kFirst + getpid() % kRanges * kRange;
  return static_cast<std::uint16_t>(next++);
}

NotifySocket::NotifySocket(const std::filesystem::path& path)
    : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  if (bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("no socket for notifications");
  }
  reader_ = std::thread([this] { receive(); });
}

NotifySocket::~NotifySocket() {
  shutdown(fd_.get(), SHUT_RDWR);
  reader_.join();
}

void NotifySocket::receive() {
  char buffer[4'096];
  while (true) {
    const auto got = recv(fd_.get(), buffer, sizeof buffer, 0);
    if (got <= 0) return;
    const std::scoped_lock lock(mutex_);
    messages_.emplace_back(buffer, static_cast<std::size_t>(got));
    has_come_.notify_all();
  }
}

std::string NotifySocket::await(const std::string& text) {
  constexpr std::chrono::seconds kHangs{240};
  std::unique_lock lock(mutex_);
  while (true) {
    if (!has_come_.wait_for(lock, kHangs, [this] { return !messages_.empty(); })) {
      throw std::runtime_error("the service did not say " + text);
    }
    auto message = std::move(messages_.front());
    messages_.pop_front();
    if (message.find(text) != std::string::npos) return message;
  }
}

}  // namespace analytics::test
