// The Stats API v2: the form of its queries, and invalid ones.
#include "tests/contract/stats_fixture.h"

namespace analytics::test::stats_v2_form_test {

TEST_CASE("stats v2: an error names the wrong member by its JSON pointer", "[contract][stats]") {
  StatsFixture fixture;
  const auto blamed = [&](const std::string& members) {
    const auto reply =
        fixture.api.json("POST", "/api/v2/query", R"({"site_id":"a.de")" + members + "}");
    INFO(members << reply.body);
    CHECK(reply.status == 400);
    const auto body = body_of(reply);
    const auto pointer = body["errors"].items().begin().key();
    CHECK(body["error"].get<std::string>().starts_with(pointer + ": "));
    return pointer;
  };
  const std::string rest = R"(,"date_range":"day","metrics":["visitors"])";
  CHECK(blamed("") == "#/metrics");
  CHECK(blamed(R"(,"metrics":["visitors"])") == "#/date_range");
  CHECK(blamed(R"(,"date_range":"day","metrics":[])") == "#/metrics");
  CHECK(blamed(R"(,"date_range":"day","metrics":["visitors","visitors"])") == "#/metrics");
  CHECK(blamed(R"(,"date_range":"day","metrics":["visitors","baa"])") == "#/metrics/1");
  for (const auto* range : {R"("bad")", R"("-1d")", R"("0d")", R"("5001d")", R"("101mo")",
                            R"("+7d")", R"(["2026-01-01"])", R"(["2026-01-01","x"])", "7", "null",
                            R"(["2026-01-01T00:00:00","2026-01-02T00:00:00"])"}) {
    CHECK(blamed(R"(,"metrics":["visitors"],"date_range":)" + std::string(range)) ==
          "#/date_range");
  }
  CHECK(blamed(rest + R"(,"dimensions":"time")") == "#/dimensions");
  CHECK(blamed(rest + R"(,"dimensions":["visit:shoes"])") == "#/dimensions/0");
  CHECK(blamed(rest + R"(,"dimensions":["event:props:"])") == "#/dimensions/0");
  CHECK(blamed(rest + R"(,"dimensions":["time","time:day"])") == "#/dimensions");
  for (const auto* filter :
       {R"(["is","event:page"])", R"(["is","event:page","/"])", R"(["is","event:page",[1]])",
        R"(["is","event:shoes",["x"]])", R"(["like","event:page",["x"]])", R"(["and",[]])",
        R"(["is_not","event:goal",["Signup"]])", R"(["is","event:goal",["Unknown"]])",
        R"(["matches","event:page",["("]])", R"(["is","time:day",["2026-01-01"]])", R"({})", "7",
        R"(["has_done",["has_done",["is","event:page",["/"]]]])",
        R"(["has_done",["is","visit:source",["Google"]]])",
        R"(["or",[["is","event:goal",["Signup"]]]])", R"(["is","visit:country",["DEU"]])",
        R"(["matches","event:page",["x"],{"case_sensitive":false}])"}) {
    CHECK(blamed(rest + R"(,"filters":[["is","event:page",["/"]],)" + filter + "]") ==
          "#/filters/1");
  }
  CHECK(blamed(rest + R"(,"order_by":[["events","asc"]])") == "#/order_by/0/0");
  CHECK(blamed(rest + R"(,"order_by":[["visitors","up"]])") == "#/order_by/0/1");
  CHECK(blamed(rest + R"(,"pagination":{"limit":10001})") == "#/pagination/limit");
  CHECK(blamed(rest + R"(,"pagination":{"offset":-5})") == "#/pagination/offset");
  CHECK(blamed(rest + R"(,"pagination":{"page":1})") == "#/pagination/page");
  CHECK(blamed(rest + R"(,"include":"x")") == "#/include");
  const auto compared = [&](const std::string& comparison) {
    return blamed(rest + R"(,"include":{"comparisons":)" + comparison + "}");
  };
  CHECK(compared("7") == "#/include/comparisons");
  CHECK(compared("{}") == "#/include/comparisons/mode");
  CHECK(compared(R"({"mode":"custom"})") == "#/include/comparisons/date_range");
  CHECK(compared(R"({"mode":"custom","date_range":"x"})") == "#/include/comparisons/date_range");
  CHECK(compared(R"({"mode":"previous_period","date_range":"day"})") ==
        "#/include/comparisons/date_range");
  CHECK(compared(R"({"mode":"previous_period","match_day_of_week":1})") ==
        "#/include/comparisons/match_day_of_week");
  CHECK(compared(R"({"mode":"previous_period","more":1})") == "#/include/comparisons/more");
  CHECK(blamed(rest + R"(,"include":{"time_labels":true})") == "#/include/time_labels");
  CHECK(blamed(rest + R"(,"date":"2026-01-01")") == "#/date");
  CHECK(blamed(rest + R"(,"a/b~c":1)") == "#/a~1b~0c");
  CHECK(blamed(rest + R"(,"order_by":[["visitors","asc"],["visitors","desc"]])") ==
        "#/order_by/1/0");
  CHECK(blamed(R"(,"metrics":["visitors"],"date_range":["0000-01-01","0000-01-02"])") ==
        "#/date_range");
  CHECK(
      blamed(
          R"(,"metrics":["visitors"],"dimensions":["time:hour"],"date_range":["1900-01-01","2026-01-01"])") ==
      "#/date_range");
}

TEST_CASE("stats v2: malformed bodies are refused", "[contract][stats]") {
  StatsFixture fixture;
  const auto code = [&](const std::string& body, const std::string& type = "application/json") {
    return code_of(fixture.api.send("POST", "/api/v2/query", body, type));
  };
  CHECK(code("{}") == "400 missing_parameter");
  CHECK(code("[]") == "400 invalid_parameter");
  CHECK(code("{") == "400 malformed_body");
  CHECK(code("") == "400 malformed_body");
  CHECK(code(std::string(200'000, '[')) == "400 malformed_body");
  CHECK(code("{}", "text/plain") == "415 unsupported_media_type");
  CHECK(code_of(fixture.api.send("POST", "/api/v2/query", "{}", "application/json",
                                 {{"Content-Encoding", "gzip"}})) == "415 unsupported_media_type");
  const auto torn = fixture.api.json("POST", "/api/v2/query", "{\"site_id\":\n7 7}");
  CHECK(torn.body.find("from byte 15") != std::string::npos);
  CHECK(code(R"({"site_id":"b.de"})") == "404 site_not_found");
  CHECK(code(R"({"site_id":7})") == "400 invalid_parameter");
}

TEST_CASE("stats v2: every kind of date range selects the right visitors", "[contract][stats]") {
  StatsFixture fixture("America/New_York");
  fixture.visit("1.1.1.1", {{"04:59:59", "/"}});  // still the 19th in New York
  const auto range = [&](const std::string& text) {
    const auto reply = fixture.query({{"site_id", "a.de"},
                                      {"metrics", {"visitors"}},
                                      {"date_range", nlohmann::json::parse(text)}});
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    const auto body = body_of(reply);
    return body["query"]["date_range"].dump() + body["results"][0]["metrics"].dump();
  };
  CHECK(range(R"(["2026-11-19","2026-11-19"])") ==
        R"(["2026-11-19T00:00:00-05:00","2026-11-19T23:59:59-05:00"][1])");
  for (const auto* reversed :
       {R"(["2026-11-20","2026-11-01"])", R"(["2026-11-20T06:00:00Z","2026-11-20T05:00:00Z"])"}) {
    CHECK(code_of(fixture.query({{"site_id", "a.de"},
                                 {"metrics", {"visitors"}},
                                 {"date_range", nlohmann::json::parse(reversed)}})) ==
          "400 invalid_parameter");
  }
  CHECK(range(R"(["2026-11-20T05:59:58+01:00","2026-11-20T05:59:58.9+01:00"])") ==
        R"(["2026-11-19T23:59:58-05:00","2026-11-19T23:59:58-05:00"][0])");
  CHECK(range(R"(["2026-11-20T05:59:58+01:00","2026-11-20T05:59:59+01:00"])") ==
        R"(["2026-11-19T23:59:58-05:00","2026-11-19T23:59:59-05:00"][1])");
  for (const auto* word :
       {"day", "24h", "7d", "28d", "30d", "91d", "365d", "6mo", "12mo", "month", "year"}) {
    CHECK_NOTHROW(range("\"" + std::string(word) + "\""));
  }
  CHECK(range(R"("all")").starts_with(R"(["2026-11-19T00:00:00-05:00",)"));
}

TEST_CASE("stats v2: all time begins with the earliest event, also one that arrived late",
          "[contract][stats]") {
  StatsFixture fixture;
  const auto labels = [&] {
    const auto reply = fixture.query({{"site_id", "a.de"},
                                      {"metrics", {"events"}},
                                      {"date_range", "all"},
                                      {"dimensions", {"time"}}});
    REQUIRE(reply.status == 200);
    const auto body = body_of(reply);
    const auto again = fixture.query(body["query"]);
    CHECK(body_of(again)["results"] == body["results"]);
    return body["query"]["dimensions"].dump() + body["results"][0]["dimensions"].dump();
  };
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}});
  CHECK(labels().starts_with(R"(["time:)"));
  fixture.event_at("1.1.1.1", "pageview", "2001-02-03T04:05:06Z");
  CHECK(labels() == R"(["time:month"]["2001-02-01"])");
}

}  // namespace analytics::test::stats_v2_form_test
