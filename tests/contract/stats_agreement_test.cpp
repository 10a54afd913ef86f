// Cases in which the Stats API agrees with Plausible's own tests.
#include "tests/contract/stats_fixture.h"

namespace analytics::test::stats_agreement_test {

TEST_CASE("stats v2: rows are ordered by revenue", "[contract][stats]") {
  StatsFixture fixture;
  const auto buy = [&](const std::string& address, const std::string& plan,
                       const std::string& amount, const std::string& currency) {
    fixture.event(address, "Buy", "10:00:00",
                  R"("p":{"plan":")" + plan + R"("},"$":{"amount":")" + amount +
                      R"(","currency":")" + currency + R"("},)");
  };
  buy("1.1.1.1", "small", "5", "EUR");
  buy("2.2.2.2", "large", "50", "EUR");
  buy("3.3.3.3", "middle", "20", "EUR");
  fixture.event("4.4.4.4", "Buy", "10:00:00", R"("p":{"plan":"free"},)");
  const auto rows = [&](const std::string& order) {
    return fixture.v2(R"(["total_revenue"])", R"("dimensions":["event:props:plan"])" + order);
  };
  const auto falling = rows(R"(,"order_by":[["total_revenue","desc"]])");
  CHECK(falling.find("large") < falling.find("middle"));
  CHECK(falling.find("middle") < falling.find("small"));
  CHECK(falling.find("small") < falling.find("free"));  // "free" has no amount
  CHECK(rows("") == falling);
  const auto rising = rows(R"(,"order_by":[["total_revenue","asc"]])");
  CHECK(rising.find("small") < rising.find("large"));
  CHECK(rising.find("large") < rising.find("free"));
}

TEST_CASE("stats v2: an exit rate refers to all views of the page, also with a filter on it",
          "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/one"}, {"10:01:00", "/two"}, {"10:02:00", "/one"}});
  fixture.visit("2.2.2.2", {{"10:00:00", "/one"}, {"10:01:00", "/two"}});
  const auto rate = [&](const std::string& filters) {
    return fixture.v2(R"(["exit_rate"])",
                      R"("dimensions":["visit:exit_page"],"filters":[)" + filters + "]");
  };
  CHECK(rate("").find(R"(["/one"][33.3])") != std::string::npos);
  CHECK(rate(R"(["is","visit:exit_page",["/one"]])") == R"(["/one"][33.3])");
}

TEST_CASE("stats v2: time on page by event name is null with a warning", "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}});
  const auto reply = fixture.query(nlohmann::json::parse(
      R"({"site_id":"a.de","date_range":["2026-11-20","2026-11-20"],"metrics":["time_on_page"],)"
      R"("filters":[["is","event:page",["/"]],["is","event:name",["pageview"]]]})"));
  const auto body = body_of(reply);
  CHECK(body["results"][0]["metrics"][0].is_null());
  CHECK(body["meta"]["metric_warnings"]["time_on_page"]["code"] == "not_by_event");
}

TEST_CASE("stats v2: a named range can end now", "[contract][stats]") {
  StatsFixture fixture;
  const auto range = [&](const std::string& date_range, const std::string& include) {
    const auto reply = fixture.query(
        nlohmann::json::parse(R"({"site_id":"a.de","metrics":["visitors"],"date_range":)" +
                              date_range + R"(,"include":{)" + include + "}}"));
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    return body_of(reply)["query"]["date_range"];
  };
  const std::string trims = R"("trim_relative_date_range":true)";
  // A year ends in December, whatever day today is; a trimmed year ends today.
  const auto whole = range(R"("year")", "");
  const auto trimmed = range(R"("year")", trims);
  CHECK(whole[0] == trimmed[0]);
  CHECK(trimmed[1].get<std::string>() <= whole[1].get<std::string>());
  CHECK(whole[1].get<std::string>().substr(5, 5) == "12-31");
  CHECK(trimmed[1].get<std::string>().substr(11, 8) == "23:59:59");
  CHECK(range(R"("day")", trims)[1].get<std::string>().substr(14, 5) == "59:59");
  CHECK(range(R"(["2026-11-20","2026-11-20"])", trims) ==
        range(R"(["2026-11-20","2026-11-20"])", ""));
}

TEST_CASE("goals: unsupported conditions are refused", "[contract]") {
  StatsFixture fixture;
  for (const auto* condition : {"custom_props=%7B%22plan%22:%22pro%22%7D", "scroll_threshold=50"}) {
    CHECK(code_of(fixture.api.form("PUT", "/api/v1/sites/goals",
                                   std::string("site_id=a.de&goal_type=event&event_name=Buy&") +
                                       condition)) == "400 invalid_parameter");
  }
  CHECK(code_of(fixture.api.json("PUT", "/api/v1/sites/goals",
                                 R"({"site_id":"a.de","goal_type":"event","event_name":"Buy",)"
                                 R"("custom_props":{"plan":"pro"}})")) == "400 invalid_parameter");
}

}  // namespace analytics::test::stats_agreement_test
