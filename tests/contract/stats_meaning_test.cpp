// Queries of the Stats API whose meaning differs in other services.
#include <fmt/format.h>

#include "tests/contract/stats_fixture.h"

namespace analytics::test::stats_meaning_test {

TEST_CASE("stats: a bucket's conversion rate equals that of a query for the bucket alone",
          "[contract][stats]") {
  StatsFixture fixture;
  fixture.goal("goal_type=event&event_name=Signup");
  for (int i = 0; i < 14; ++i) {
    const auto address = fmt::format("1.1.1.{}", i);
    const std::string hour = i < 4 ? "10" : "15";
    fixture.visit(address, {{hour + ":00:00", "/"}}, i % 2 == 0 ? "https://google.com/" : "");
    if (i == 0 || i == 4) fixture.event(address, "Signup", hour + ":01:00");
  }
  const std::string signups = R"("filters":[["is","event:goal",["Signup"]]],"dimensions":)";
  CHECK(fixture.v2(R"(["conversion_rate"])", signups + R"(["time:hour"])") ==
        R"(["2026-11-20 10:00:00"][25] ["2026-11-20 15:00:00"][10])");
  CHECK(fixture.v2(R"(["conversion_rate"])", signups + R"(["time:hour","visit:source"])") ==
        R"(["2026-11-20 10:00:00","Google"][25] ["2026-11-20 15:00:00","Google"][10])");
  CHECK(fixture.v2(R"(["conversion_rate"])", signups + R"(["time:day"])") ==
        R"(["2026-11-20"][14.29])");
  const auto hours =
      fixture.ask_v1("timeseries", "metrics=conversion_rate&filters=event:goal%3D%3DSignup");
  CHECK(hours[10]["conversion_rate"] == 25);
  CHECK(hours[15]["conversion_rate"] == 10);
}

TEST_CASE("stats: filters on parts of texts never match the label of an empty value",
          "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}});
  fixture.event("2.2.2.2", "pageview", "10:00:00", "", "/?utm_campaign=reset");
  const auto visitors = [&](const std::string& filter) {
    return fixture.v2(R"(["visitors"])", R"("filters":[)" + filter + "]");
  };
  CHECK(visitors(R"(["contains","visit:utm_campaign",["set"]])") == "[][1]");
  CHECK(visitors(R"(["contains_not","visit:utm_campaign",["set"]])") == "[][1]");
  CHECK(visitors(R"(["contains","visit:utm_medium",["o"]])") == "[][0]");
  CHECK(visitors(R"(["contains_not","visit:utm_medium",["o"]])") == "[][2]");
  CHECK(visitors(R"(["matches","visit:source",["^Direct"]])") == "[][0]");
  CHECK(visitors(R"(["matches_not","visit:source",["None"]])") == "[][2]");
  CHECK(visitors(R"x(["is","visit:utm_campaign",["(not set)"]])x") == "[][1]");
  CHECK(visitors(R"x(["is_not","visit:utm_campaign",["(not set)"]])x") == "[][1]");
  CHECK(fixture.v1_value("aggregate", "filters=visit:utm_campaign%3D%3D*set*") == 1);
  // A missing property never matches.
  CHECK(visitors(R"(["contains","event:props:plan",["none"]])") == "[][0]");
  CHECK(visitors(R"(["contains_not","event:props:plan",["none"]])") == "[][0]");
}

TEST_CASE("stats: a page has one duration and one bounce rate, by row and by filter",
          "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/a"}, {"10:01:00", "/b"}});
  fixture.visit("2.2.2.2", {{"10:00:00", "/b"}, {"10:10:00", "/a"}});
  CHECK(fixture.v2(R"(["visit_duration","bounce_rate"])", R"("dimensions":["event:page"])") ==
        R"(["/b"][600,0] ["/a"][60,0])");
  CHECK(fixture.v2(R"(["visit_duration","bounce_rate"])",
                   R"("filters":[["is","event:page",["/a"]]])") == "[][60,0]");
  CHECK(fixture.v1_value("aggregate", "metrics=visit_duration&filters=event:page%3D%3D/b") == 600);
}

TEST_CASE("stats: a group's conversion rate is relative to visitors with the row's property",
          "[contract][stats]") {
  StatsFixture fixture;
  fixture.goal("goal_type=event&event_name=Signup");
  fixture.event("1.1.1.1", "View", "10:00:00", R"("props":{"plan":"pro"},)");
  fixture.event("1.1.1.1", "Signup", "10:01:00", R"("props":{"plan":"pro"},)");
  fixture.event("2.2.2.2", "View", "10:00:00", R"("props":{"plan":"pro"},)");
  fixture.event("3.3.3.3", "View", "10:00:00", R"("props":{"plan":"free"},)");
  fixture.visit("4.4.4.4", {{"10:00:00", "/"}});
  fixture.visit("5.5.5.5", {{"10:00:00", "/"}});
  CHECK(fixture.v2(R"(["visitors","conversion_rate","group_conversion_rate"])",
                   R"("dimensions":["event:props:plan"],)"
                   R"("filters":[["is","event:goal",["Signup"]]])") == R"(["pro"][1,20,50])");
}

}  // namespace analytics::test::stats_meaning_test
