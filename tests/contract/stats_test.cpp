#include "tests/contract/stats_fixture.h"

namespace analytics::test::stats_test {

namespace {

constexpr char kAll[] = "visitors,visits,pageviews,events,bounce_rate,visit_duration";

struct Fixture : StatsFixture {
  using StatsFixture::StatsFixture;
  HttpReply ask(const std::string& query) {
    return api.send("GET", "/api/v1/stats/aggregate?site_id=a.de&" + query);
  }
  std::string values(const std::string& query) {
    return body_of(ask(query + "&metrics=" + kAll))["results"].dump();
  }
};

std::string numbers(int visitors, int visits, int pageviews, int events, int bounce,
                    const std::string& duration) {
  const auto one = [](const char* name, const std::string& value) {
    return "\"" + std::string(name) + "\":{\"value\":" + value + "}";
  };
  return "{" + one("bounce_rate", std::to_string(bounce)) + "," +
         one("events", std::to_string(events)) + "," + one("pageviews", std::to_string(pageviews)) +
         "," + one("visit_duration", duration) + "," + one("visitors", std::to_string(visitors)) +
         "," + one("visits", std::to_string(visits)) + "}";
}

}  // namespace

TEST_CASE("aggregate: one query returns all metrics of visitors, visits and events",
          "[contract][stats]") {
  Fixture fixture;
  fixture.event_at("1.1.1.1", "pageview", "2026-11-20T10:00:00Z");
  fixture.event_at("1.1.1.1", "pageview", "2026-11-20T10:10:00Z");
  fixture.event_at("1.1.1.1", "engagement", "2026-11-20T10:11:00Z");
  fixture.event_at("1.1.1.1", "pageview", "2026-11-20T12:00:00Z");
  fixture.event_at("2.2.2.2", "Signup", "2026-11-20T12:00:30Z");
  fixture.event_at("3.3.3.3", "pageview", "2026-11-20T23:50:00Z");
  fixture.event_at("3.3.3.3", "pageview", "2026-11-21T00:05:00Z");
  CHECK(fixture.values("period=day&date=2026-11-20") == numbers(3, 4, 4, 5, 25, "375"));
  // A visit that spans midnight counts on both days.
  CHECK(fixture.values("period=day&date=2026-11-21") == numbers(1, 1, 1, 1, 0, "900"));
  CHECK(fixture.values("period=custom&date=2026-11-20,2026-11-21") ==
        numbers(3, 4, 5, 6, 25, "375"));
  CHECK(fixture.values("period=day&date=2026-11-01") == numbers(0, 0, 0, 0, 0, "null"));
  const auto compared = body_of(fixture.ask(
      "period=day&date=2026-11-21&metrics=pageviews,bounce_rate&compare=previous_period"));
  CHECK(compared["results"]["pageviews"].dump() ==
        R"({"change":-75,"comparison_value":4,"value":1})");
  CHECK(compared["results"]["bounce_rate"]["change"] == -25);
  CHECK(compared["results"]["bounce_rate"]["comparison_value"] == 25);
  CHECK(body_of(fixture.ask("period=7d&date=2026-11-21"))["results"].dump() ==
        R"({"visitors":{"value":3}})");
}

TEST_CASE("aggregate: days begin and end in the site's time zone", "[contract][stats]") {
  Fixture fixture("America/New_York");
  fixture.event_at("1.1.1.1", "pageview", "2026-11-20T04:59:59Z");
  fixture.event_at("1.1.1.1", "pageview", "2026-11-20T05:00:00Z");
  CHECK(body_of(fixture.ask(
            "period=day&date=2026-11-20&metrics=pageviews"))["results"]["pageviews"]["value"] == 1);
  CHECK(body_of(fixture.ask(
            "period=day&date=2026-11-19&metrics=pageviews"))["results"]["pageviews"]["value"] == 1);
}

TEST_CASE("aggregate: an error names the wrong parameter", "[contract][stats]") {
  Fixture fixture;
  const auto blamed = [&](const std::string& query) {
    const auto reply = fixture.ask(query);
    CHECK(code_of(reply) == "400 invalid_parameter");
    return body_of(reply)["errors"].items().begin().key();
  };
  CHECK(blamed("period=week") == "period");
  CHECK(blamed("date=tomorrow") == "date");
  CHECK(blamed("metrics=money") == "metrics");
  CHECK(blamed("compare=last_year") == "compare");
  for (const auto* filters : {"event:page", "page==/x", "event:page==", "time:day==2026-11-21",
                              "event:goal==Signup", "event:props:==x"}) {
    CHECK(blamed("filters=" + percent_encode(filters)) == "filters");
  }
  CHECK(code_of(fixture.api.send("GET", "/api/v1/stats/aggregate")) == "400 missing_parameter");
  CHECK(code_of(fixture.api.send("GET", "/api/v1/stats/aggregate?site_id=b.de")) ==
        "404 site_not_found");
  auto other = fixture.client("acme", {"--scope", "sites:read"});
  CHECK(code_of(other.send("GET", "/api/v1/stats/aggregate?site_id=a.de")) == "403 missing_scope");
}

}  // namespace analytics::test::stats_test
