#include "tests/support/webhook_receiver.h"

#include <stdexcept>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "common/text/text.h"

namespace analytics::test {
namespace {

constexpr std::chrono::minutes kPatience{4};  // long, because it only ends tests that hang
constexpr timeval kMaxSilence{20, 0};         // longest time that a client may send nothing

/// Reads a request with a Content-Length. Returns its first line and its body: "POST /x
/// HTTP/1.1\n{…}".
std::string read_request(int connection) {
  std::string text;
  char buffer[4'096];
  while (true) {
    const auto end = text.find("\r\n\r\n");
    if (end != std::string::npos) {
      const auto head = ascii_lower(text.substr(0, end));
      const auto field = head.find("content-length: ");
      const auto value = field == std::string::npos
                             ? std::string("0")
                             : head.substr(field + 16, head.find('\r', field) - field - 16);
      const auto length = static_cast<std::size_t>(parse_int(value).value_or(0));
      if (text.size() >= end + 4 + length) {
        return text.substr(0, text.find("\r\n")) + '\n' + text.substr(end + 4, length);
      }
    }
    const auto count = recv(connection, buffer, sizeof buffer, 0);
    if (count <= 0) return {};
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace

WebhookReceiver::WebhookReceiver(std::vector<std::string> answers)
    : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      answers_(answers.begin(), answers.end()) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener_.get(), any, size) != 0 || listen(listener_.get(), SOMAXCONN) != 0 ||
      getsockname(listener_.get(), any, &size) != 0) {
    throw std::runtime_error("no socket to listen on");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
}

WebhookReceiver::~WebhookReceiver() {
  shutdown(listener_.get(), SHUT_RDWR);  // ends accept()
  thread_.join();
}

std::string WebhookReceiver::url() const { return "http://127.0.0.1:" + std::to_string(port_); }

std::string WebhookReceiver::next() {
  std::unique_lock lock(mutex_);
  if (!arrived_.wait_for(lock, kPatience, [this] { return !requests_.empty(); })) return {};
  auto request = std::move(requests_.front());
  requests_.pop_front();
  return request;
}

void WebhookReceiver::run() {
  while (true) {
    const FileDescriptor connection(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection.valid()) return;
    (void)setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &kMaxSilence, sizeof kMaxSilence);
    auto request = read_request(connection.get());
    if (request.empty()) continue;
    std::string status = "200 OK";
    if (!answers_.empty()) {
      status = answers_.front();
      answers_.pop_front();
    }
    const auto answer = "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    (void)!send(connection.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
    const std::scoped_lock lock(mutex_);
    requests_.push_back(std::move(request));
    arrived_.notify_all();
  }
}

}  // namespace analytics::test
