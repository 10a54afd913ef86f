#include "tests/cluster/cutting_proxy.h"

#include <array>
#include <stdexcept>
#include <string_view>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

namespace analytics::test {
namespace {

constexpr int kSliceMillis = 50;

sockaddr_in address_of(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

sockaddr* raw(sockaddr_in& address) { return static_cast<sockaddr*>(static_cast<void*>(&address)); }

bool send_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

CuttingProxy::CuttingProxy(std::uint16_t server)
    : server_(server), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  auto address = address_of(0);
  socklen_t size = sizeof address;
  if (bind(listener_.get(), raw(address), size) != 0 || listen(listener_.get(), 16) != 0 ||
      getsockname(listener_.get(), raw(address), &size) != 0) {
    throw std::runtime_error("the proxy cannot listen");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread(&CuttingProxy::accept, this);
}

CuttingProxy::~CuttingProxy() {
  is_stopping_ = true;
  acceptor_.join();
  for (auto& thread : threads_) thread.join();
}

void CuttingProxy::lose_next(const std::string& text, Loss loss, int more) {
  const std::lock_guard lock(mutex_);
  text_ = text;
  loss_ = loss;
  more_ = more;
}

void CuttingProxy::accept() {
  while (!is_stopping_) {
    pollfd waiting{.fd = listener_.get(), .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, kSliceMillis) <= 0) continue;
    FileDescriptor client(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.valid()) continue;
    const std::lock_guard lock(mutex_);
    if (refused_ > 0) {
      --refused_;
      continue;
    }
    threads_.emplace_back([this, client = std::move(client)] { serve(client); });
  }
}

void CuttingProxy::serve(const FileDescriptor& client) {
  const FileDescriptor server(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  auto address = address_of(server_);
  if (connect(server.get(), raw(address), sizeof address) != 0) return;
  while (!is_stopping_) {
    std::array<pollfd, 2> waiting = {pollfd{.fd = client.get(), .events = POLLIN, .revents = 0},
                                     pollfd{.fd = server.get(), .events = POLLIN, .revents = 0}};
    if (poll(waiting.data(), waiting.size(), kSliceMillis) <= 0) continue;
    if (waiting[0].revents != 0 && !pass(client.get(), server.get(), true)) return;
    if (waiting[1].revents != 0 && !pass(server.get(), client.get(), false)) return;
  }
}

/// Forwards bytes. Returns false if the connection must be closed.
bool CuttingProxy::pass(int from, int to, bool is_request) {
  std::array<char, 65'536> buffer{};
  const auto got = recv(from, buffer.data(), buffer.size(), 0);
  if (got <= 0) return false;
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
  bool is_lost = false;
  Loss loss = Loss::kRequest;
  if (is_request) {
    const std::lock_guard lock(mutex_);
    is_lost = !text_.empty() && bytes.find(text_) != std::string_view::npos;
    loss = loss_;
    if (is_lost) {
      text_.clear();
      refused_ = more_;
    }
  }
  if (!is_lost) return send_all(to, bytes);
  if (loss == Loss::kReply) {
    (void)send_all(to, bytes);
    (void)recv(to, buffer.data(), buffer.size(), 0);
  }
  ++losses_;
  return false;
}

}  // namespace analytics::test
