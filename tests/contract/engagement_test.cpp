#include <fmt/format.h>

#include "tests/contract/stats_fixture.h"

namespace analytics::test::engagement_test {

namespace {

constexpr char kVisits[] = R"(["visits","pageviews","bounce_rate","visit_duration","visitors"])";

/// Returns the time some minutes after 10 o'clock, as in "10:05:00".
std::string after(int minutes) {
  return fmt::format("{:02}:{:02}:00", 10 + minutes / 60, minutes % 60);
}

void read_page(StatsFixture& fixture, int minutes, int millis) {
  fixture.event("1.1.1.1", "engagement", after(minutes), fmt::format(R"("e":{},)", millis),
                "/long");
}

/// Sends an engagement that may reach no visit.
HttpReply send_alone(StatsFixture& fixture, int minutes) {
  const auto more =
      R"(,"e":60000,"ip":"1.1.1.1","timestamp":"2026-11-20T)" + after(minutes) + "Z\"";
  return fixture.api.event(event_body("engagement", "/long", more), {{"User-Agent", kFirefox}});
}

}  // namespace

TEST_CASE("engagement: a page that is read for long keeps its visit and source",
          "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{after(0), "/long"}}, "https://news.ycombinator.com/item?id=1");
  for (int minutes = 5; minutes <= 45; minutes += 5) read_page(fixture, minutes, 60'000);
  fixture.visit("1.1.1.1", {{after(46), "/next"}}, "https://a.de/long");
  CHECK(fixture.v2(kVisits) == "[][1,2,0,2760,1]");
  CHECK(fixture.v2(R"(["visits"])", R"("dimensions":["visit:source"])") == R"(["Hacker News"][1])");
  CHECK(fixture.v2(R"(["time_on_page"])",
                   R"("dimensions":["event:page"],"filters":[["is","event:page",["/long"]]])") ==
        R"(["/long"][540])");
}

TEST_CASE("engagement: one that comes late still connects what it lies between",
          "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{after(0), "/long"}, {after(50), "/next"}});
  CHECK(fixture.v2(kVisits) == "[][2,2,100,0,1]");
  read_page(fixture, 49, 20 * 60'000);
  CHECK(fixture.v2(kVisits) == "[][1,2,0,3000,1]");
}

TEST_CASE("engagement: in a request, one may precede the pageview that it belongs to",
          "[contract][stats]") {
  StatsFixture fixture;
  const auto line = [](const std::string& name, int minutes, const std::string& more) {
    const auto time = R"(,"timestamp":"2026-11-20T)" + after(minutes) + R"(Z")";
    return event_body(name, "/long", R"(,"ip":"1.1.1.1","user_agent":"x")" + time + more) + "\n";
  };
  const auto answer = body_of(fixture.api.bulk(line("engagement", 25, R"(,"e":1000)") +
                                               line("pageview", 0, "") + line("pageview", 50, "")));
  CHECK(answer["accepted"] == 3);
  CHECK(fixture.v2(kVisits) == "[][1,2,0,3000,1]");
}

TEST_CASE("engagement: one that reaches no visit is dropped", "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{after(0), "/long"}});
  const auto dropped = send_alone(fixture, 45);
  CHECK(dropped.header("X-Analytics-Dropped") == "a.de=no_visit");
  CHECK(fixture.v2(kVisits) == "[][1,1,100,0,1]");
}

TEST_CASE("engagement: one that comes before its pageview is counted when that has come",
          "[contract][stats]") {
  StatsFixture fixture;
  const auto early = send_alone(fixture, 25);
  CHECK(early.header("X-Analytics-Dropped") == "a.de=no_visit");
  fixture.visit("1.1.1.1", {{after(50), "/next"}});
  CHECK(fixture.v2(kVisits) == "[][1,1,100,0,1]");
  fixture.visit("1.1.1.1", {{after(0), "/long"}});
  CHECK(fixture.v2(kVisits) == "[][1,2,0,3000,1]");
  CHECK(fixture.v2(R"(["time_on_page"])",
                   R"("dimensions":["event:page"],"filters":[["is","event:page",["/long"]]])") ==
        R"(["/long"][60])");
}

}  // namespace analytics::test::engagement_test
