#include "tests/support/faulty_proxy.h"

#include <algorithm>
#include <stdexcept>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/io/http_client.h"
#include "common/text/text.h"

namespace analytics::test {
namespace {

std::string_view field(std::string_view head, std::string_view name) {
  for (const auto line : split(head, '\n')) {
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && iequals(line.substr(0, colon), name)) {
      return trim(line.substr(colon + 1));
    }
  }
  return {};
}

bool is_of_connection(std::string_view name) {
  return iequals(name, "Host") || iequals(name, "Content-Length") || iequals(name, "Connection") ||
         iequals(name, "Transfer-Encoding");
}

}  // namespace

FaultyProxy::FaultyProxy(std::string server, Choose choose)
    : choose_(std::move(choose)),
      listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      server_(std::move(server)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (bind(listener_.get(), plain, size) != 0 || listen(listener_.get(), 64) != 0 ||
      getsockname(listener_.get(), plain, &size) != 0) {
    throw std::runtime_error("the proxy cannot listen");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept(); });
}

FaultyProxy::~FaultyProxy() {
  stopping_ = true;
  shutdown(listener_.get(), SHUT_RDWR);
  acceptor_.join();
  {
    const std::scoped_lock lock(mutex_);
    for (const int client : clients_) shutdown(client, SHUT_RDWR);
  }
  for (auto& thread : threads_) thread.join();
}

void FaultyProxy::accept() {
  while (!stopping_) {
    FileDescriptor client(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.valid()) return;
    const std::scoped_lock lock(mutex_);
    clients_.push_back(client.get());
    threads_.emplace_back([this, client = std::move(client)] {
      serve(client);
      const std::scoped_lock done(mutex_);
      std::erase(clients_, client.get());
    });
  }
}

void FaultyProxy::serve(const FileDescriptor& client) {
  std::string bytes;
  char buffer[65'536];
  while (!stopping_) {
    const auto head = bytes.find("\r\n\r\n");
    const auto length = head == std::string::npos
                            ? std::int64_t{0}
                            : parse_int(field(bytes.substr(0, head), "Content-Length")).value_or(0);
    if (head != std::string::npos && bytes.size() >= head + 4 + static_cast<std::size_t>(length)) {
      auto body = bytes.substr(head + 4, static_cast<std::size_t>(length));
      if (!pass_on(client, std::string_view(bytes).substr(0, head), std::move(body))) return;
      bytes.erase(0, head + 4 + static_cast<std::size_t>(length));
      continue;
    }
    const auto got = recv(client.get(), buffer, sizeof buffer, 0);
    if (got <= 0) return;
    bytes.append(buffer, static_cast<std::size_t>(got));
  }
}

/// Forwards a request and its reply, or applies the chosen fault. Returns false if the connection
/// must be closed.
bool FaultyProxy::pass_on(const FileDescriptor& client, std::string_view head, std::string body) {
  const auto lines = split(head, '\n');
  const auto words = split(lines.front(), ' ');
  const auto fault = choose_(words[0], words[1]);
  if (fault != Fault::kNone) ++faults_;
  const auto refuse = [&](std::string_view status) {
    return write_all(client, "HTTP/1.1 " + std::string(status) +
                                 "\r\nRetry-After: 0\r\nContent-Length: 2\r\n\r\n{}")
        .has_value();
  };
  if (fault == Fault::kLoseRequest) return false;
  if (fault == Fault::kRefuse429) return refuse("429 Too Many Requests");
  if (fault == Fault::kRefuse503) return refuse("503 Service Unavailable");
  if (fault == Fault::kSlow) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto server = [&] {
    const std::scoped_lock lock(mutex_);
    return server_;
  }();
  HttpRequest request{std::string(words[0]), server + std::string(words[1]), {}, std::move(body)};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto colon = lines[i].find(':');
    if (colon == std::string_view::npos || is_of_connection(lines[i].substr(0, colon))) continue;
    request.headers.emplace_back(lines[i].substr(0, colon), trim(lines[i].substr(colon + 1)));
  }
  HttpClient http({});
  const auto reply = http.send(request);
  if (reply.failure != HttpReply::Failure::kNone || fault == Fault::kLoseReply) return false;
  std::string answer = "HTTP/1.1 " + std::to_string(reply.status) + " X\r\n";
  for (const auto& [name, value] : reply.headers) {
    if (!is_of_connection(name)) answer += name + ": " + value + "\r\n";
  }
  answer += "Content-Length: " + std::to_string(reply.body.size()) + "\r\n\r\n" + reply.body;
  return write_all(client, answer).has_value();
}

}  // namespace analytics::test
