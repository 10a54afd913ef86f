#include <csignal>

#include "common/text/text.h"
#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/support/programs.h"
#include "tests/support/raw_http.h"

namespace analytics::test::httptest_test {

TEST_CASE("httptest: the server for outside suites answers its three paths", "[contract][alone]") {
  Process server({httptest_program(), "--listen", "127.0.0.1:0"}, {});
  const auto line = server.read_error_line();
  REQUIRE(line);
  const auto port = static_cast<std::uint16_t>(*parse_int(line->substr(line->rfind(':') + 1)));
  const auto ask = [&](const std::string& start, const std::string& rest = "") {
    return send_raw(port, start + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + rest + "\r\n");
  };
  CHECK(ask("GET /").ends_with("\r\n\r\nOK"));
  CHECK(
      send_raw(port,
               "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello")
          .ends_with("\r\n\r\nhello"));
  CHECK(ask("OPTIONS *").starts_with("HTTP/1.1 204"));
  CHECK(ask("POST /echo", "Content-Length: 0\r\nX-A: b\r\n").find("X-A: b\n") != std::string::npos);
  CHECK(ask("GET /cookie", "Cookie: test=1\r\n").ends_with("cookie: test=1\n"));
  CHECK(ask("GET /nope").starts_with("HTTP/1.1 404"));
  server.signal(SIGTERM);
  CHECK(server.wait().exit == 0);
}

}  // namespace analytics::test::httptest_test
