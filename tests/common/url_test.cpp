#include "common/text/url.h"

#include "tests/support/catch.h"

namespace analytics::test::url_test {

TEST_CASE("url: a URL is split into its parts", "[url]") {
  const auto parts = split_url("HTTPS://user:pw@Www.Example.com:8443/a/b?x=1#top");
  REQUIRE(parts);
  CHECK(parts->host == "Www.Example.com");
  CHECK(parts->path == "/a/b");
  CHECK(parts->query == "x=1");
  CHECK(parts->fragment == "top");
  CHECK(split_url("app://host/screen"));
  CHECK(split_url("http://[::1]:80/")->host == "::1");
  for (const auto* bad :
       {"", "/path", "example.com", "http://", "http:///x", "://x", "1http://x", "http://a b/"}) {
    CAPTURE(bad);
    CHECK(!split_url(bad));
  }
}

TEST_CASE("url: decoding is strict for parameters, and lenient for display", "[url]") {
  CHECK(percent_decode("a%2Fb") == std::optional<std::string>("a/b"));
  CHECK(!percent_decode("a%2"));
  CHECK(percent_decode_lenient("%zz%C3%BC%0A%") == "%zz\xC3\xBC%0A%");
  CHECK(percent_decode_lenient("%ff") == "\xEF\xBF\xBD");
  CHECK(parse_form("a=1&a=2&b=x+y%21")->size() == 3);
  CHECK(!parse_form("a=%ff"));
  CHECK(query_value("utm_source=a+b&x", "utm_source") == "a b");
  CHECK(percent_encode("a/b c") == "a%2Fb%20c");
}

}  // namespace analytics::test::url_test
