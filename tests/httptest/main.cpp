// A server with the daemon's HTTP code, for third-party test suites (h1spec, llhttp's request
// cases, Http11Probe). `/` returns the body, or "OK" if there is no body. `/echo` returns the
// whole request. `/cookie` sets and shows a cookie. `OPTIONS *` is answered. Usage:
// analyticsd-httptest --listen ADDR:PORT. Prints "listening on http://ADDR:PORT" and ends on
// SIGTERM.
#include <csignal>
#include <iostream>

#include "common/run/secret.h"
#include "daemon/http/server.h"

namespace {

using namespace analytics;
constexpr std::size_t kBodyLimit = 1'048'576;

http::Response text(int status, std::string body) {
  return http::Response(status, "text/plain; charset=utf-8", std::move(body));
}

/// Returns the parsed request as text: its request line, its header fields and its body.
std::string echo(const http::Request& request) {
  std::string all;
  all += http::method_name(request.head.method);
  all += ' ';
  all += request.head.target;
  all += '\n';
  for (const auto& [name, value] : request.head.fields) {
    all += name;
    all += ": ";
    all += value;
    all += '\n';
  }
  return all + '\n' + request.body;
}

http::Response answer(const http::Request& request) {
  const auto& head = request.head;
  if (head.method == http::Method::kTrace || head.method == http::Method::kConnect) {
    auto response = text(405, "Not here.\n");
    response.set("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    return response;
  }
  if (head.path == "/") return text(200, request.body.empty() ? "OK" : request.body);
  if (head.path == "*") return http::Response();  // Response() has the status 204
  if (head.path == "/echo") return text(200, echo(request));
  if (head.path == "/cookie") {
    auto response = text(200, "cookie: " + std::string(head.field("Cookie")) + "\n");
    response.set("Set-Cookie", "test=1; Path=/; HttpOnly");
    return response;
  }
  return text(404, "Not found.\n");
}

}  // namespace

int main(int argc, char** argv) {
  http::ServerConfig config;
  config.listen = {"127.0.0.1:0"};
  if (argc == 3 && std::string_view(argv[1]) == "--listen") {
    config.listen = {argv[2]};
  } else if (argc != 1) {
    std::cerr << "usage: analyticsd-httptest [--listen ADDR:PORT]\n";
    return 2;
  }
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    init_secrets();
    Log log(LogLevel::kWarn);
    MemoryLedger memory(std::size_t{1} << 30);
    http::Server server(config, memory, log);
    std::cerr << "listening on http://" << server.addresses().front() << std::endl;
    server.start(
        {[](const http::Head&, std::string_view) {
           http::Admission admission;
           admission.body_limit = kBodyLimit;
           return admission;
         },
         [](const http::Request& request, http::Responder respond) { respond(answer(request)); },
         [](const http::Head&, int status) { return text(status, "Refused.\n"); },
         [](const http::Request&, int, std::chrono::nanoseconds) {}});
    int received = 0;
    sigwait(&signals, &received);
    server.stop();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "analyticsd-httptest: " << error.what() << '\n';
    return 1;
  }
}
