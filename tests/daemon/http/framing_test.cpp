#include "daemon/http/framing.h"

#include "tests/support/catch.h"

namespace analytics::test::framing_test {

using namespace analytics::http;

namespace {

/// Returns 0 if the head is valid, else the status of the refusal.
int judge(const std::string& head) {
  Head parsed;
  return framing::parse_head(head + "\r\n\r\n", {}, parsed);
}

}  // namespace

TEST_CASE("framing: valid heads pass", "[framing]") {
  CHECK(judge("GET / HTTP/1.1\r\nHost: a") == 0);
  CHECK(judge("GET /x?y=%20 HTTP/1.0") == 0);
  CHECK(judge("GET http://a/x HTTP/1.1\r\nHost: a") == 0);
  CHECK(judge("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked") == 0);
}

TEST_CASE("framing: each invalid head is refused with its status", "[framing]") {
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

TEST_CASE("framing: Host is a name or an address, with a port or without", "[framing]") {
  for (const std::string host :
       {"a", "a.example", "a:80", "a:", "1.2.3.4:8000", "[::1]", "[::1]:8000", "a_b-c"}) {
    INFO(host);
    CHECK(judge("GET / HTTP/1.1\r\nHost: " + host) == 0);
  }
  for (const std::string host : {"", ":80", "a:b", "a:99999", "a:80:80", "a:-1", "[::1", "[zz]",
                                 "::1", "a<b>", "\"a\"", "\xc3\xa9"}) {
    INFO(host);
    CHECK(judge("GET / HTTP/1.1\r\nHost: " + host) == 400);
  }
  CHECK(judge("GET http://a:80/x HTTP/1.1\r\nHost: a") == 0);
  CHECK(judge("GET http://b/x HTTP/1.1\r\nHost: a") == 400);
}

TEST_CASE("framing: a refused head still gives its method and path", "[framing]") {
  const std::string text = "HEAD /x HTTP/1.1\r\n\r\n";
  Head head;
  CHECK(framing::parse_head(text, {}, head) == 400);
  CHECK(head.method == Method::kHead);
  CHECK(head.path == "/x");
}

TEST_CASE("framing: valid chunks pass in pieces of any size, invalid ones do not", "[framing]") {
  const auto judge_chunks = [](const std::string& body) {
    framing::ChunkGate whole;
    const bool passes = whole.accept(body);
    framing::ChunkGate bytewise;
    bool each = true;
    for (const char c : body) each = each && bytewise.accept(std::string_view(&c, 1));
    CHECK(each == passes);
    return passes;
  };
  CHECK(judge_chunks("2\r\n{}\r\n0\r\n\r\n"));
  CHECK(judge_chunks("A;name=value\r\n0123456789\r\n0\r\n\r\nGET / what follows is not judged"));
  CHECK(judge_chunks("0\r\n\r\n"));
  CHECK(judge_chunks("0\r\nX-A: b\r\nX-B:\r\n\r\n"));
  CHECK(!judge_chunks("0\r\nX A: b\r\n\r\n"));
  CHECK(!judge_chunks("0\r\nX-A b\r\n\r\n"));
  CHECK(!judge_chunks("0\r\nX-A: b\n\r\n"));
  CHECK(!judge_chunks("0\r\nX-A: b\r\n c\r\n\r\n"));
  CHECK(!judge_chunks(std::string("0\r\nX-A: b\0\r\n\r\n", 15)));
  CHECK(!judge_chunks("0\r\nX-A: " + std::string(20'000, 'b') + "\r\n\r\n"));
  std::string many = "0\r\n";
  for (int i = 0; i < 101; ++i) many += "X: y\r\n";
  CHECK(!judge_chunks(many + "\r\n"));
  CHECK(!judge_chunks("5;" + std::string(300, 'a')));
  CHECK(!judge_chunks(std::string(300, '0')));
  CHECK(!judge_chunks("2\n{}\n0\n\n"));
  CHECK(!judge_chunks("2\r\n{}0\r\n"));
  CHECK(!judge_chunks("\r\n"));
  CHECK(!judge_chunks("g\r\n"));
  CHECK(!judge_chunks(" 2\r\n"));
  CHECK(!judge_chunks("-2\r\n"));
  CHECK(!judge_chunks("2 \r\n"));
  CHECK(!judge_chunks("FFFFFFFFFFFFFFFFFF\r\n"));
}

}  // namespace analytics::test::framing_test
