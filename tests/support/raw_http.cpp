#include "tests/support/raw_http.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace analytics::test {

RawConnection::RawConnection(std::uint16_t port, int receive_buffer, const std::string& from)
    : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval timeout{240, 0};  // long, because it only ends tests that hang
  const int on = 1;
  setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (receive_buffer > 0) {
    setsockopt(fd_.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  }
  sockaddr_in own{};
  own.sin_family = AF_INET;
  inet_pton(AF_INET, from.c_str(), &own.sin_addr);
  setsockopt(fd_.get(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  const auto general = [](const sockaddr_in& any) {
    return static_cast<const sockaddr*>(static_cast<const void*>(&any));
  };
  connected_ = bind(fd_.get(), general(own), sizeof own) == 0 &&
               connect(fd_.get(), general(address), sizeof address) == 0;
}

bool RawConnection::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const auto sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::size_t RawConnection::send_some(std::string_view bytes) const {
  const auto sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

std::string RawConnection::receive(std::string_view until) const {
  std::string reply;
  char buffer[65'536];
  while (until.empty() || reply.find(until) == std::string::npos) {
    const auto got = recv(fd_.get(), buffer, sizeof buffer, 0);
    if (got <= 0) break;
    reply.append(buffer, static_cast<std::size_t>(got));
  }
  return reply;
}

bool RawConnection::has_answer() const {
  pollfd waiting{fd_.get(), POLLIN, 0};
  return poll(&waiting, 1, 0) > 0;
}

void RawConnection::reset() {
  const linger now{1, 0};
  setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  fd_ = FileDescriptor();
}

std::string send_raw(std::uint16_t port, std::string_view bytes, std::string_view until) {
  const RawConnection connection(port);
  if (!connection.connected()) return "no connection";
  if (!connection.send(bytes)) return "not sent";
  return connection.receive(until);
}

}  // namespace analytics::test
