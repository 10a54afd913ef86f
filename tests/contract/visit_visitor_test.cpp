// All events of a visit count under the visitor of its first event.
#include <fmt/format.h>

#include "tests/contract/stats_fixture.h"

namespace analytics::test::visit_visitor_test {

namespace {

/// A site in the time zone of New York, which ten people use before and after midnight UTC.
struct AtMidnight : StatsFixture {
  AtMidnight() : StatsFixture("America/New_York") {
    goal("goal_type=event&event_name=Signup");
    for (int i = 0; i < 10; ++i) send_both(fmt::format("9.9.9.{}", i), i % 2 == 0);
  }

 private:
  void send_both(const std::string& address, bool in_order) {
    const auto view = [&] { event_at(address, "pageview", "2026-11-20T23:55:00Z"); };
    if (in_order) view();
    event_at(address, "Signup", "2026-11-21T00:05:00Z");
    if (!in_order) view();
  }
};

}  // namespace

TEST_CASE("visitors: a person on the site at midnight UTC counts once", "[contract][stats]") {
  AtMidnight fixture;
  CHECK(fixture.v2(R"(["visitors","visits","pageviews","events"])") == "[][10,10,10,20]");
  CHECK(fixture.v2(R"(["conversion_rate"])", R"("filters":[["is","event:goal",["Signup"]]])") ==
        "[][100]");
  CHECK(fixture.v2(R"(["visitors","visits"])", R"("dimensions":["time:hour"])") ==
        R"(["2026-11-20 18:00:00"][10,10] ["2026-11-20 19:00:00"][10,10])");
  CHECK(fixture.v1_value("aggregate", "metrics=visitors") == 10);
  // A visitor who comes back hours later is new, as on every day.
  fixture.event_at("9.9.9.1", "pageview", "2026-11-21T04:00:00Z");
  CHECK(fixture.v2(R"(["visitors","visits"])") == "[][11,11]");
}

}  // namespace analytics::test::visit_visitor_test
