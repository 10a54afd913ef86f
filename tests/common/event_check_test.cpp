#include <functional>

#include "common/event/event_payload.h"
#include "tests/support/catch.h"

namespace analytics::test::event_check_test {

TEST_CASE("event check: the quick check accepts only events that the full rules leave unchanged",
          "[common]") {
  const PayloadRights rights{true, *parse_rfc3339("2026-01-01T00:00:00Z")};
  EventPayload payload;
  payload.domains = {"a.de"};
  payload.name = kPageview;
  payload.url = "https://a.de/a%20b?x=1";
  payload.referrer = "https://r.example/";
  payload.timestamp = parse_rfc3339("2015-05-17T08:05:03Z");
  payload.ip = "1.2.3.4";
  payload.user_agent = "UA \"quoted\"";
  CHECK(is_plainly_valid(payload, rights));
  CHECK(to_json(*parse_event_payload(to_json(payload), rights)) == to_json(payload));
  auto other = payload;
  other.url = "https://a.de/" + std::string(2'000, 'x');
  CHECK(!is_plainly_valid(other, rights));
  other = payload;
  other.ip = "nowhere";
  CHECK(!is_plainly_valid(other, rights));
  other = payload;
  other.ip.reset();
  other.name = "Sign up";
  other.visitor = "a1";
  other.visit = "b2";
  other.id = "7";
  other.screen_width = 1'440;
  other.derived.country = "DE";
  other.derived.browser = "Chrome";
  other.derived.screen = "Laptop";
  other.derived.language = "de";
  other.props = {{"plan", "pro \"x\""}, {"käse", "ja"}};
  CHECK(is_plainly_valid(other, rights));
  CHECK(to_json(*parse_event_payload(to_json(other), rights)) == to_json(other));
  const std::function<void(EventPayload&)> harms[] = {
      [](auto& e) { e.name = " "; },
      [](auto& e) { e.name = std::string(121, 'x'); },
      [](auto& e) { e.name = "engagement"; },
      [](auto& e) {
        e.props.push_back({"plan", "other"});
      },
      [](auto& e) {
        e.props.push_back({"", "other"});
      },
      [](auto& e) {
        e.props.push_back({"long", std::string(2'001, 'x')});
      },
      [](auto& e) {
        e.props.push_back({"nul", std::string(1, '\0')});
      },
      [](auto& e) { e.derived.country = "de"; },
      [](auto& e) { e.derived.screen = "Huge"; },
      [](auto& e) { e.derived.city = "\xff"; },
      [](auto& e) { e.visitor = ""; },
      [](auto& e) { e.visit = std::string(65, 'x'); },
      [](auto& e) { e.id = ""; },
      [](auto& e) { e.referrer = "x\n"; },
      [](auto& e) { e.screen_width = -1; },
      [](auto& e) {
        e.domains = {"a.de", "b.de"};
      }};
  for (const auto& harm : harms) {
    auto harmed = other;
    harm(harmed);
    CHECK(!is_plainly_valid(harmed, rights));
  }
  other = payload;
  other.timestamp = rights.now + std::chrono::hours(25);
  CHECK(!is_plainly_valid(other, rights));
}

}  // namespace analytics::test::event_check_test
