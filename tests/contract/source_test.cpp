#include <csignal>

#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::source_test {

TEST_CASE("source: a visit's source and channel are stored and explained", "[contract][source]") {
  Service service;
  const auto send = [&](const std::string& query, const std::string& referrer,
                        Headers headers = {}) {
    return service.visitor.event(pageview("/" + query, R"(,"r":")" + referrer + "\""),
                                 std::move(headers));
  };
  send("", "");
  send("", "https://www.google.de/search?q=x");
  send("?utm_source=fb&utm_medium=paid", "");
  send("", "https://a.de/other");
  send("", "https://blog.example/post");
  CHECK(service.daemon.query("SELECT group_concat(coalesce(source, '-') || '=' || channel, '|')"
                             " FROM (SELECT * FROM event_text)") ==
        "-=Direct|Google=Organic Search|Facebook=Paid Social|-=Direct|blog.example=Referral");
  const auto shown = body_of(send("?gclid=x", "", {{"X-Debug-Request", "true"}}))["events"][0];
  CHECK(shown["source"] == "Google");
  CHECK(shown["channel"] == "Paid Search");
}

TEST_CASE("drops: dropped events are counted by hour and reason", "[contract][source]") {
  Service service;
  auto& api = service.api;
  for (int i = 0; i < 3; ++i) api.event(event_body("x"), {{"Idempotency-Key", "same"}});
  service.daemon.stop(SIGTERM);  // counters are written once a second and at the end
  service.daemon.start();
  const auto drops = body_of(api.send("GET", "/api/v1/sites/a.de/drops"))["drops"];
  REQUIRE(drops.size() == 1);
  CHECK(drops[0]["reason"] == "duplicate");
  CHECK(drops[0]["count"] == 2);
  CHECK(code_of(api.send("GET", "/api/v1/sites/a.de/drops?days=0")) == "400 invalid_parameter");
  const auto shown = service.run_command({"sites", "drops", "a.de"});
  CHECK(shown.exit == 0);
  CHECK(shown.out.find("\tduplicate\t2\n") != std::string::npos);
}

}  // namespace analytics::test::source_test
