#include "daemon/http/framing.h"

#include "tests/support/catch.h"

using namespace analytics::http;

namespace {

/// 0 when the head passes, else the status.
int judge(const std::string& head) {
  const auto parsed = framing::parse_head(head + "\r\n\r\n", {});
  return parsed ? 0 : parsed.error();
}

}  // namespace

TEST_CASE("framing: what may pass", "[framing]") {
  CHECK(judge("GET / HTTP/1.1\r\nHost: a") == 0);
  CHECK(judge("GET /x?y=%20 HTTP/1.0") == 0);
  CHECK(judge("GET http://a/x HTTP/1.1\r\nHost: a") == 0);
  CHECK(judge("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked") == 0);
}

TEST_CASE("framing: what is refused, and how", "[framing]") {
  const auto host = [](const std::string& more) {
    return judge("POST / HTTP/1.1\r\nHost: a\r\n" + more);
  };
  CHECK(judge("GET / HTTP/1.1") == 400);
  CHECK(host("Host: b") == 400);
  CHECK(host("Content-Length: 1\r\nTransfer-Encoding: chunked") == 400);
  CHECK(host("Content-Length: 1\r\nContent-Length: 1") == 400);
  CHECK(host("Content-Length: 1, 1") == 400);
  CHECK(host("Content-Length: +1") == 400);
  CHECK(host("Content-Length: 9223372036854775808") == 400);
  CHECK(host("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked") == 400);
  CHECK(host("Transfer-Encoding: gzip") == 501);
  CHECK(host("Transfer-Encoding: xchunked") == 400);
  CHECK(judge("POST / HTTP/1.0\r\nTransfer-Encoding: chunked") == 400);
  CHECK(host("A: b\r\n folded") == 400);
  CHECK(host("A : b") == 400);
  CHECK(host("no colon") == 400);
  CHECK(host(": empty") == 400);
  CHECK(host(std::string("A: b\0c", 6)) == 400);
  CHECK(host("A: b\rc") == 400);
  CHECK(judge("GET /\x01 HTTP/1.1\r\nHost: a") == 400);
  CHECK(judge("GET /%00 HTTP/1.1\r\nHost: a") == 400);
  CHECK(judge("GET /%0d HTTP/1.1\r\nHost: a") == 400);
  CHECK(judge("GET /%zz HTTP/1.1\r\nHost: a") == 400);
  CHECK(judge("GET /#x HTTP/1.1\r\nHost: a") == 400);
  CHECK(judge("GET / HTTP/2.0\r\nHost: a") == 505);
  CHECK(judge("GET / http/1.1\r\nHost: a") == 400);
  CHECK(judge("GET / HTTP/1.x\r\nHost: a") == 400);
  CHECK(judge("BREW / HTTP/1.1\r\nHost: a") == 501);
  CHECK(judge("GET http://b/x HTTP/1.1\r\nHost: a") == 400);
  CHECK(host("Expect: nonsense") == 417);
  CHECK(judge("GET /" + std::string(9'000, 'a') + " HTTP/1.1\r\nHost: a") == 414);
  CHECK(host("A: " + std::string(17'000, 'a')) == 431);
}
