#include <csignal>

#include "tests/support/catch.h"
#include "tests/support/raw_http.h"
#include "tests/support/service.h"

namespace analytics::test::protocol_test {

TEST_CASE("protocol: unknown paths, wrong methods, HEAD and request ids are handled",
          "[contract][alone]") {
  DaemonProcess daemon(daemon_program());
  Api api(daemon.url(), "");
  CHECK(code_of(api.send("GET", "/nope")) == "404 not_found");
  const auto wrong = api.send("DELETE", "/api/health");
  CHECK(code_of(wrong) == "405 method_not_allowed");
  CHECK(wrong.header("Allow") == "GET, HEAD, OPTIONS");
  CHECK(!wrong.header("X-Request-Id").empty());
  CHECK(api.send("TRACE", "/api/health").status == 405);
  const auto head = api.send("HEAD", "/api/health");
  CHECK(head.status == 200);
  CHECK(head.body.empty());
  CHECK(body_of(api.send("GET", "/api/health"))["status"] == "ok");
  CHECK(api.send("GET", "/share/x").header("Content-Type") == "text/html; charset=utf-8");
}

TEST_CASE("protocol: pipelined requests are answered in order", "[contract][alone]") {
  DaemonProcess daemon(daemon_program());
  const auto reply =
      send_raw(daemon.port(),
               "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\nGET /nope HTTP/1.1\r\nHost: a\r\n\r\n"
               "GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const auto first = reply.find("200 OK");
  const auto second = reply.find("404 Not Found");
  CHECK(first < second);
  CHECK(reply.find("200 OK", second) != std::string::npos);
}

TEST_CASE("protocol: invalid framing is refused and the connection is closed",
          "[contract][alone]") {
  DaemonProcess daemon(daemon_program());
  const auto status = [&](const std::string& bytes) {
    return send_raw(daemon.port(), bytes).substr(9, 3);
  };
  CHECK(status("GET / HTTP/1.1\r\n\r\n") == "400");
  CHECK(status("GET / HTTP/1.1\nHost: a\n\n") == "400");
  CHECK(status("POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: "
               "chunked\r\n\r\nx") == "400");
  CHECK(status("POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n") == "413");
  CHECK(status("GET /" + std::string(20'000, 'a')) == "414");
  CHECK(status("GET / HTTP/1.0\r\n\r\n") == "200");
  CHECK(status("\r\n\r\nGET / HTTP/1.0\r\n\r\n") ==
        "200");  // RFC 9112, 2.2: empty lines before a request are ignored
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "\r\n";
  CHECK(status(lines) == "400");
}

TEST_CASE("protocol: chunked bodies and 100-continue work", "[contract][alone]") {
  DaemonProcess daemon(daemon_program());
  const auto chunked =
      send_raw(daemon.port(),
               "POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
               "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n");
  CHECK(chunked.find("invalid_event") != std::string::npos);
  const auto waited = send_raw(daemon.port(),
                               "POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
                               "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n",
                               "\r\n\r\n");
  CHECK(waited.starts_with("HTTP/1.1 100 Continue"));
}

TEST_CASE("protocol: a request that does not arrive in time is answered 408", "[contract][alone]") {
  const Service service(
      {.site = "", .settings = "[http]\nheader_timeout = \"1s\"\nbody_timeout = \"1s\"\n"});
  const auto port = service.daemon.port();
  CHECK(send_raw(port, "GET / HT").starts_with("HTTP/1.1 408"));
  CHECK(send_raw(port, "POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
            .starts_with("HTTP/1.1 408"));
}

TEST_CASE("protocol: the daemon exits with 0 after SIGTERM and SIGINT", "[contract][alone]") {
  for (const int signal : {SIGTERM, SIGINT}) {
    DaemonProcess daemon(daemon_program());
    CHECK(daemon.stop(signal) == 0);
  }
}

}  // namespace analytics::test::protocol_test
