#include "daemon/http/listeners.h"

#include <system_error>

#include <fcntl.h>
#include <sys/socket.h>

#include "daemon/http/listen_address.h"

namespace analytics::http {

namespace asio = boost::asio;

Listeners::Listeners(const std::vector<std::string>& addresses, const std::vector<int>& inherited) {
  for (const int descriptor : inherited) take_over(descriptor);
  if (!inherited.empty()) return;
  for (const auto& address : addresses) bind(address);
}

void Listeners::bind(const std::string& text) {
  try {
    const auto [address, port] = parse_listen(text);
    acceptors_.emplace_back(loop_, Protocol::endpoint(asio::ip::make_address(address), port));
  } catch (const boost::system::system_error& error) {
    throw std::system_error(error.code().value(), std::system_category(), "listen on " + text);
  }
  fcntl(acceptors_.back().native_handle(), F_SETFD, FD_CLOEXEC);
}

void Listeners::take_over(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::system_error(errno, std::system_category(), "a socket that was handed over");
  }
  const auto protocol = address.ss_family == AF_INET6 ? Protocol::v6() : Protocol::v4();
  acceptors_.emplace_back(loop_, protocol, descriptor);
}

std::vector<std::pair<int, Listeners::Protocol>> Listeners::duplicate() {
  std::vector<std::pair<int, Protocol>> all;
  for (auto& acceptor : acceptors_) {
    const int copy = fcntl(acceptor.native_handle(), F_DUPFD_CLOEXEC, 0);
    if (copy < 0) throw std::system_error(errno, std::system_category(), "dup");
    all.emplace_back(copy, acceptor.local_endpoint().protocol());
  }
  return all;
}

std::vector<std::string> Listeners::addresses() const {
  std::vector<std::string> all;
  for (const auto& acceptor : acceptors_) {
    const auto end = acceptor.local_endpoint();
    const auto address = end.address().to_string();
    all.push_back((end.address().is_v6() ? "[" + address + "]" : address) + ":" +
                  std::to_string(end.port()));
  }
  return all;
}

void Listeners::close() noexcept {
  for (auto& acceptor : acceptors_) {
    boost::system::error_code ignored;
    acceptor.close(ignored);
  }
}

}  // namespace analytics::http
