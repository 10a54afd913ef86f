#include "common/event/event_privacy.h"

#include "tests/support/catch.h"

namespace analytics::test::event_privacy_test {

namespace {

EventPayload read(const std::string& fields) {
  const PayloadRights rights{true, UnixMillis(std::chrono::milliseconds(1'800'000'000'000))};
  const auto payload = parse_event_payload(
      R"({"domain":"a.de","name":"pageview","url":"https://a.de/")" + fields + "}", rights);
  REQUIRE(payload);
  return *payload;
}

const std::string kAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0";

}  // namespace

TEST_CASE("privacy: a User-Agent in the browser's field is moved to its own field", "[event]") {
  const auto moved = read(R"(,"browser":")" + kAgent + R"(","visitor":"v")");
  CHECK(moved.user_agent == kAgent);
  CHECK(!moved.derived.browser);
  CHECK(moved.withheld == 0);
  const auto both = read(R"(,"user_agent":"x","os":")" + kAgent + R"(","browser":"Chrome/120")");
  CHECK(both.user_agent == "x");
  CHECK(!both.derived.os);
  CHECK(both.derived.browser == "Chrome");
  CHECK(both.withheld == 2);
  const auto plain = read(R"(,"browser":"Chrome","browser_version":"10.1.2.3","os":"GNU/Linux")");
  CHECK(plain.derived.browser == "Chrome");
  CHECK(plain.derived.browser_version == "10.1.2.3");
  CHECK(plain.derived.os == "GNU/Linux");
  CHECK(plain.withheld == 0);
}

TEST_CASE("privacy: an address stays in a version, and keys that become equal are merged",
          "[event]") {
  const auto payload = read(
      R"(,"props":{"app_version":"10.1.2.3","appVersion":"1.2.3.4","conversion_ip":"81.2.69.142",)"
      R"("a@b.de":"1","c@d.de":"2"})");
  CHECK(payload.props == std::vector<Property>{{"app_version", "10.1.2.3"},
                                               {"appVersion", "1.2.3.4"},
                                               {"conversion_ip", "(redacted)"},
                                               {"(redacted)", "2"}});
  CHECK(payload.withheld == 3);
}

TEST_CASE("privacy: a redacted text still fits its field", "[event]") {
  std::string path;
  while (path.size() < 1'900) path += "a@b.de/";
  const auto payload = parse_event_payload(
      R"({"domain":"a.de","name":"x","url":"https://a.de/)" + path + R"("})", {});
  REQUIRE(payload);
  CHECK(payload->url.size() == 2'000);
  CHECK(parse_event_payload(to_json(*payload), {}));
}

}  // namespace analytics::test::event_privacy_test
