#include "tests/support/raw_http.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/fs.h"

namespace analytics::test {

std::string send_raw(std::uint16_t port, std::string_view bytes, std::string_view until) {
  const FileDescriptor fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval timeout{30, 0};
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  const auto* target = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  if (connect(fd.get(), target, sizeof address) != 0) return "no connection";
  if (send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) return "not sent";
  std::string reply;
  char buffer[65'536];
  while (true) {
    const auto got = recv(fd.get(), buffer, sizeof buffer, 0);
    if (got <= 0) return reply;
    reply.append(buffer, static_cast<std::size_t>(got));
    if (!until.empty() && reply.find(until) != std::string::npos) return reply;
  }
}

}  // namespace analytics::test
