// The Stats API v2 on a small site, with results worked out by hand.
#include <regex>

#include "tests/contract/stats_fixture.h"

namespace analytics::test::stats_v2_test {

namespace {

constexpr char kAll[] =
    R"(["visitors","visits","pageviews","events","bounce_rate","visit_duration"])";

void add_three_visits(StatsFixture& fixture) {
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:10:00", "/b"}}, "https://google.com/");
  fixture.visit("2.2.2.2", {{"10:00:00", "/"}});
  fixture.visit("3.3.3.3", {{"11:00:00", "/b"}});
}

}  // namespace

TEST_CASE("stats v2: a query without dimensions has one row, even without events",
          "[contract][stats]") {
  StatsFixture fixture;
  CHECK(fixture.v2(kAll) == "[][0,0,0,0,0,null]");
  CHECK(fixture.v2(kAll, R"("dimensions":["event:page"])").empty());
  add_three_visits(fixture);
  CHECK(fixture.v2(kAll) == "[][3,3,4,4,67,200]");
  CHECK(fixture.v2(R"(["views_per_visit","percentage"])") == "[][1.33,100]");
}

TEST_CASE("stats v2: dimensions, order and pagination work together", "[contract][stats]") {
  StatsFixture fixture;
  add_three_visits(fixture);
  CHECK(fixture.v2(kAll, R"("dimensions":["event:page"])") ==
        R"(["/"][2,2,2,2,50,300] ["/b"][2,2,2,2,100,0])");
  CHECK(fixture.v2(R"(["visitors","percentage"])", R"("dimensions":["visit:source"])") ==
        R"(["Direct / None"][2,66.7] ["Google"][1,33.3])");
  CHECK(
      fixture.v2(R"(["visitors"])", R"("dimensions":["visit:source","event:page"])") ==
      R"(["Direct / None","/"][1] ["Direct / None","/b"][1] ["Google","/"][1] ["Google","/b"][1])");
  CHECK(fixture.v2(R"(["visitors"])", R"("dimensions":["time:hour"])") ==
        R"(["2026-11-20 10:00:00"][2] ["2026-11-20 11:00:00"][1])");
  CHECK(fixture.v2(R"(["visitors"])", R"("dimensions":["time"],"order_by":[["time","desc"]])") ==
        R"(["2026-11-20 11:00:00"][1] ["2026-11-20 10:00:00"][2])");
  CHECK(
      fixture.v2(R"(["visitors"])",
                 R"("dimensions":["time:day","event:page"],"order_by":[["event:page","desc"]])") ==
      R"(["2026-11-20","/b"][2] ["2026-11-20","/"][2])");
  CHECK(fixture.v2(R"(["visitors"])",
                   R"("dimensions":["visit:source"],"pagination":{"limit":1,"offset":1})") ==
        R"(["Google"][1])");
}

TEST_CASE("stats v2: places can be queried by code and by name", "[contract][stats]") {
  StatsFixture fixture;
  const auto at = [&](const std::string& address, const std::string& country,
                      const std::string& region, const std::string& city) {
    fixture.event(
        address, "pageview", "10:00:00",
        R"("country":")" + country + R"(","region":")" + region + R"(","city":")" + city + R"(",)");
  };
  at("1.1.1.1", "DE", "DE-BE", "Berlin");
  at("2.2.2.2", "DE", "DE-BE", "Berlin");
  at("3.3.3.3", "KR", "KR-11", "Seoul");
  at("4.4.4.4", "ZZ", "Elsewhere", "");
  const auto by = [&](const std::string& dimensions, const std::string& rest = "") {
    return fixture.v2(R"(["visitors"])", R"("dimensions":[)" + dimensions + "]" + rest);
  };
  CHECK(by(R"("visit:country")") == R"(["DE"][2] ["KR"][1] ["ZZ"][1])");
  CHECK(by(R"("visit:country_name","visit:region_name","visit:city_name")") ==
        R"(["Germany","Berlin","Berlin"][2] ["South Korea","Seoul-teukbyeolsi","Seoul"][1])"
        R"x( ["ZZ","Elsewhere","(not set)"][1])x");
  const auto filtered = [&](const std::string& filter) {
    return by(R"("visit:country")", R"(,"filters":[)" + filter + "]");
  };
  CHECK(filtered(R"(["is","visit:country_name",["Germany"]])") == R"(["DE"][2])");
  CHECK(filtered(R"(["contains","visit:country_name",["korea"],{"case_sensitive":false}])") ==
        R"(["KR"][1])");
  CHECK(filtered(R"(["is_not","visit:region_name",["Berlin"]])") == R"(["KR"][1] ["ZZ"][1])");
  CHECK(filtered(R"x(["is","visit:city_name",["(not set)"]])x") == R"(["ZZ"][1])");
  CHECK(fixture.v1("breakdown", "property=visit:country_name&limit=1") ==
        R"([{"country_name":"Germany","visitors":2}])");
}

TEST_CASE("stats v2: all filters must match the same event", "[contract][stats]") {
  StatsFixture fixture;
  fixture.goal("goal_type=event&event_name=Signup");
  fixture.goal("goal_type=page&page_type=/b");
  add_three_visits(fixture);
  fixture.event("1.1.1.1", "Signup", "10:11:00", R"("props":{"plan":"Pro"},)");
  const auto visitors = [&](const std::string& filters) {
    return fixture.v2(R"(["visitors","events"])", R"("filters":[)" + filters + "]");
  };
  CHECK(visitors(R"(["is","event:page",["/b"]])") == "[][2,2]");
  CHECK(visitors(R"(["is_not","event:page",["/b"]])") == "[][2,3]");
  CHECK(visitors(R"(["contains","event:page",["b","x"]])") == "[][2,2]");
  CHECK(visitors(R"(["contains_not","event:page",["b"]])") == "[][2,3]");
  CHECK(visitors(R"(["matches","event:page",["^/.$"]])") == "[][2,2]");
  CHECK(visitors(R"(["matches_not","event:page",["^/.$"]])") == "[][2,3]");
  CHECK(visitors(R"(["is","event:props:plan",["pro"]])") == "[][0,0]");
  CHECK(visitors(R"(["is","event:props:plan",["pro"],{"case_sensitive":false}])") == "[][1,1]");
  CHECK(visitors(R"(["is_not","event:props:plan",["Pro"]])") == "[][3,4]");
  CHECK(visitors(R"(["contains_not","event:props:plan",["x"]])") == "[][1,1]");
  CHECK(visitors(R"(["is","visit:source",["Google"]],["is","event:page",["/b"]])") == "[][1,1]");
  CHECK(visitors(R"(["is","event:goal",["Signup","Visit /b"]])") == "[][2,3]");
  CHECK(visitors(R"(["contains","event:goal",["Visit"]])") == "[][2,2]");
  CHECK(visitors(R"(["contains","event:goal",["Nothing"]])") == "[][0,0]");
  CHECK(visitors(R"(["has_done",["is","event:goal",["Signup"]]])") == "[][1,3]");
  CHECK(visitors(R"(["has_not_done",["is","event:page",["/"]]])") == "[][1,1]");
  CHECK(
      visitors(R"(["or",[["is","event:page",["/b"]],["not",["is","visit:source",["Google"]]]]])") ==
      "[][3,3]");
  CHECK(
      visitors(R"(["and",[["is","event:page",["/b"]],["is","visit:source",["Direct / None"]]]])") ==
      "[][1,1]");
}

TEST_CASE("stats v2: conversion rates and revenue have the right values", "[contract][stats]") {
  StatsFixture fixture;
  fixture.goal("goal_type=event&event_name=Buy");
  fixture.goal("goal_type=page&page_type=/b");
  add_three_visits(fixture);
  fixture.event("1.1.1.1", "Buy", "10:11:00", R"("revenue":{"amount":"10.00","currency":"EUR"},)");
  fixture.event("2.2.2.2", "Buy", "10:11:00", R"("revenue":{"amount":"2.5","currency":"USD"},)");
  fixture.event("2.2.2.2", "Buy", "10:12:00", R"("revenue":{"amount":"3.5","currency":"USD"},)");
  CHECK(fixture.v2(R"(["visitors","conversion_rate"])", R"("dimensions":["event:goal"])") ==
        R"(["Buy"][2,66.67] ["Visit /b"][2,66.67])");
  CHECK(fixture.v2(R"(["visitors","conversion_rate","group_conversion_rate"])",
                   R"("dimensions":["visit:source"],"filters":[["is","event:goal",["Buy"]]])") ==
        R"(["Direct / None"][1,33.33,50] ["Google"][1,33.33,100])");
  CHECK(fixture.v2(R"(["total_revenue","average_revenue"])") ==
        R"([][[{"currency":"EUR","long":"€10.00","short":"€10.0","value":10},)"
        R"({"currency":"USD","long":"$6.00","short":"$6.0","value":6}],)"
        R"([{"currency":"EUR","long":"€10.00","short":"€10.0","value":10},)"
        R"({"currency":"USD","long":"$3.00","short":"$3.0","value":3}]])");
  CHECK(fixture.v2(R"(["total_revenue"])", R"("filters":[["is","visit:source",["Google"]]])") ==
        R"([][{"currency":"EUR","long":"€10.00","short":"€10.0","value":10}])");
  CHECK(fixture.v2(R"(["total_revenue"])", R"("filters":[["is","event:page",["/b"]]])") ==
        "[][null]");
  const auto unpaid = body_of(fixture.query(
      nlohmann::json::parse(R"({"site_id":"a.de","metrics":["total_revenue"],"date_range":"all",)"
                            R"("filters":[["is","event:page",["/b"]]]})")));
  CHECK(unpaid["meta"]["metric_warnings"]["total_revenue"]["code"] == "no_revenue_goals_matching");
}

TEST_CASE("stats v2: a metric without a meaning is null, and a warning says why",
          "[contract][stats]") {
  StatsFixture fixture;
  add_three_visits(fixture);
  const auto ask = [&](const std::string& rest) {
    const auto body = body_of(fixture.query(nlohmann::json::parse(
        R"({"site_id":"a.de","date_range":"all",)"
        R"("metrics":["visitors","views_per_visit","conversion_rate","group_conversion_rate"])" +
        rest + "}")));
    const auto& warnings = body["meta"]["metric_warnings"];
    std::string codes;
    for (const auto& [metric, warning] : warnings.items()) {
      codes += " " + warning["code"].get<std::string>();
    }
    return body["results"][0]["metrics"].dump() + codes;
  };
  CHECK(ask("") == "[3,1.33,null,null] no_goal no_goal");
  CHECK(ask(R"(,"dimensions":["event:page"])") ==
        "[2,null,null,null] no_goal no_goal not_by_event");
  CHECK(ask(R"(,"filters":[["is","event:page",["/b"]]])") ==
        "[2,null,null,null] no_goal no_goal not_by_event");
  CHECK(ask(R"(,"filters":[["is","visit:source",["Google"]]])") ==
        "[1,2,null,null] no_goal no_goal");
}

TEST_CASE("stats v2: each row is compared with the same row of another range",
          "[contract][stats]") {
  StatsFixture fixture;
  std::string lines;
  const auto send = [&](const std::string& day, const std::string& path, int visitors) {
    for (int i = 0; i < visitors; ++i) {
      const auto visitor = R"(,"visitor":")" + std::to_string(i) + "\"";
      lines += pageview(path, R"(,"timestamp":")" + day + R"(T10:00:00Z")" + visitor) + "\n";
    }
  };
  send("2025-11-08", "/", 4);
  send("2026-11-01", "/", 2);
  send("2026-11-03", "/b", 1);
  send("2026-11-08", "/", 3);
  send("2026-11-09", "/c", 1);
  REQUIRE(fixture.api.bulk(lines).status == 200);
  const auto ask = [&](const std::string& comparison, const std::string& rest) {
    const auto reply = fixture.query(nlohmann::json::parse(
        R"({"site_id":"a.de","metrics":["pageviews"],"date_range":["2026-11-08","2026-11-10"],)"
        R"("include":{"comparisons":)" +
        comparison + "}" + rest + "}"));
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    const auto body = body_of(reply);
    CHECK(body["query"]["include"]["comparisons"].contains("mode"));
    std::string rows;
    for (const auto& row : body["results"]) {
      const auto& then = row["comparison"];
      rows += row["dimensions"].dump() + row["metrics"].dump() + " ";
      if (!then.is_null()) {
        rows += then["dimensions"].dump() + then["metrics"].dump() + then["change"].dump() + "; ";
      }
    }
    return rows;
  };
  const std::string before = R"({"mode":"previous_period"})";
  CHECK(ask(before, "") == "[][4] [][0][100]; ");
  const std::string week = R"({"mode":"custom","date_range":["2026-11-01","2026-11-03"]})";
  CHECK(ask(week, "") == "[][4] [][3][33]; ");
  CHECK(ask(week, R"(,"dimensions":["event:page"])") ==
        R"(["/"][3] ["/"][2][50]; ["/c"][1] ["/c"][0][100]; )");
  CHECK(ask(week, R"(,"dimensions":["event:page"],"pagination":{"limit":1,"offset":1})") ==
        R"(["/c"][1] ["/c"][0][100]; )");
  CHECK(ask(week, R"(,"dimensions":["time:day"])") ==
        R"(["2026-11-08"][3] ["2026-11-01"][2][50]; ["2026-11-09"][1] ["2026-11-02"][0][100]; )"
        R"(["2026-11-10"][0] ["2026-11-03"][1][-100]; )");
  CHECK(ask(R"({"mode":"custom","date_range":["2026-11-01","2026-11-02"]})",
            R"(,"dimensions":["time:day"],"order_by":[["time:day","desc"]])") ==
        R"(["2026-11-10"][0] ["2026-11-09"][1] ["2026-11-02"][0][100]; )"
        R"(["2026-11-08"][3] ["2026-11-01"][2][50]; )");
  CHECK(ask(week, R"(,"dimensions":["time:day","event:page"])") ==
        R"(["2026-11-08","/"][3] ["2026-11-01","/"][2][50]; )"
        R"(["2026-11-09","/c"][1] ["2026-11-02","/c"][0][100]; )");
  CHECK(ask(R"({"mode":"year_over_year"})", "") == "[][4] [][4][0]; ");
  // The matching Sunday in 2025 is the 9th of November.
  CHECK(ask(R"({"mode":"year_over_year","match_day_of_week":true})", "") == "[][4] [][0][100]; ");
}

TEST_CASE("stats v2: the answer echoes the query as understood, and it can be posted again",
          "[contract][stats]") {
  StatsFixture fixture("Europe/Berlin");
  add_three_visits(fixture);
  const auto reply = fixture.query(
      {{"site_id", "WWW.a.de/"},
       {"metrics", {"visitors"}},
       {"date_range", {"2026-10-25", "2026-11-20"}},
       {"dimensions", {"time", "visit:source"}},
       {"filters", nlohmann::json::parse(
                       R"([["or",[["is","event:page",["/"],{"case_sensitive":false}],
                           ["has_not_done",["matches","event:name",["^p"]]]]]])")},
       {"include", {{"time_labels", true}, {"total_rows", true}, {"imports", false}}}});
  REQUIRE(reply.status == 200);
  const auto body = body_of(reply);
  CHECK(body["query"].dump() ==
        R"({"date_range":["2026-10-25T00:00:00+02:00","2026-11-20T23:59:59+01:00"],)"
        R"("dimensions":["time:day","visit:source"],)"
        R"("filters":[["or",[["is","event:page",["/"],{"case_sensitive":false}],)"
        R"(["not",["has_done",["matches","event:name",["^p"]]]]]]],)"
        R"("include":{"time_labels":true,"total_rows":true},"metrics":["visitors"],)"
        R"("order_by":[["time:day","asc"],["visitors","desc"]],)"
        R"("pagination":{"limit":10000,"offset":0},"site_id":"a.de"})");
  CHECK(body["meta"]["total_rows"] == 2);
  CHECK(body["meta"]["time_labels"].size() == 27);
  // In a cluster, `up_to` of a later answer is later.
  const auto without_time = [](const std::string& text) {
    static const std::regex kUpTo(R"re("up_to":"[^"]*")re");
    return std::regex_replace(text, kUpTo, "");
  };
  CHECK(without_time(fixture.query(body["query"]).body) == without_time(reply.body));
}

TEST_CASE("stats v2: equivalent filters have equal rates or null", "[contract][stats]") {
  StatsFixture fixture;
  fixture.goal("goal_type=event&event_name=Signup");
  fixture.goal("goal_type=page&page_type=/b");
  fixture.goal("goal_type=event&event_name=Visit /b");
  add_three_visits(fixture);
  fixture.event("1.1.1.1", "Signup", "10:11:00", R"("props":{"plan":"pro"},)");
  fixture.event("2.2.2.2", "Visit /b", "10:11:00");
  const auto rate = [&](const std::string& condition) {
    return fixture.v2(R"(["conversion_rate"])",
                      R"("filters":[["is","event:goal",["Signup"]],)" + condition + "]");
  };
  const std::string pro = R"(["is","event:props:plan",["pro"]])";
  CHECK(rate(pro) == "[][33.33]");
  CHECK(rate(R"(["and",[)" + pro + "]]") == "[][33.33]");
  CHECK(rate(R"(["or",[)" + pro + "," + pro + "]]") == "[][null]");
  // A page's bounce rate is that of visits that began on it, however the condition is nested.
  CHECK(fixture.v2(R"(["bounce_rate"])", R"("filters":[["and",[["is","event:page",["/b"]]]]])") ==
        fixture.v2(R"(["bounce_rate"])", R"("filters":[["is","event:page",["/b"]]])"));
  // Goals with the same label share a row.
  CHECK(fixture.v2(R"(["visitors","events"])", R"("dimensions":["event:goal"])") ==
        R"(["Visit /b"][3,3] ["Signup"][1,1])");
}

TEST_CASE("stats v2: huge revenues are capped, and labels of empty values match in any case",
          "[contract][stats]") {
  StatsFixture fixture;
  for (int i = 0; i < 3; ++i) {
    fixture.event("1.1.1.1", "Buy", "10:0" + std::to_string(i) + ":00",
                  R"("revenue":{"amount":9000000000000,"currency":"GBP"},)");
  }
  CHECK(
      fixture.v2(R"(["total_revenue"])") ==
      R"([][{"currency":"GBP","long":"£9,223,372,036,854.78","short":"£9.2T","value":9223372036854.775}])");
  CHECK(fixture.v2(
            R"(["visitors"])",
            R"("filters":[["is","visit:source",["direct / none"],{"case_sensitive":false}]])") ==
        "[][1]");
}

TEST_CASE("stats: a day missing in a time zone is refused, and a repeated hour is counted",
          "[contract][stats]") {
  StatsFixture apia("Pacific/Apia");
  CHECK(code_of(apia.query({{"site_id", "a.de"},
                            {"metrics", {"visitors"}},
                            {"date_range", {"2011-12-30", "2011-12-30"}}})) ==
        "400 invalid_parameter");
  CHECK(code_of(apia.api.send("GET",
                              "/api/v1/stats/aggregate?site_id=a.de&period=day&date=2011-12-30")) ==
        "400 invalid_parameter");
  StatsFixture havana("America/Havana");
  havana.event_at("1.1.1.1", "pageview", "2025-11-02T05:30:00Z");
  const auto hours = havana.v1_json("timeseries", "period=day&date=2025-11-02");
  REQUIRE(hours.size() == 25);
  CHECK(hours[0].dump() == R"({"date":"2025-11-02 00:00:00","visitors":0})");
  CHECK(hours[1].dump() == R"({"date":"2025-11-02 00:00:00-05:00","visitors":1})");
}

}  // namespace analytics::test::stats_v2_test
