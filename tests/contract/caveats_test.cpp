// The member `meta` of answers, which says in which ways their numbers are inexact.
#include <csignal>
#include <thread>

#include <fmt/format.h>

#include "common/text/local_time.h"
#include "common/text/time.h"
#include "common/wire/caveats.h"
#include "tests/contract/stats_fixture.h"

namespace analytics::test::caveats_test {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Removes `up_to`, which only answers of a cluster's node have.
json without_extent(json meta) {
  meta.erase("up_to");
  return meta;
}

/// Returns `meta` of v2, and checks that `meta` of v1 for the same days agrees.
json meta_of(StatsFixture& fixture, const json& range, const std::string& v1_period,
             const std::string& metric = "visitors") {
  const auto reply =
      fixture.query({{"site_id", "a.de"}, {"metrics", {metric}}, {"date_range", range}});
  REQUIRE(reply.status == 200);
  const auto old = fixture.api.send(
      "GET", "/api/v1/stats/aggregate?site_id=a.de&metrics=" + metric + "&" + v1_period);
  REQUIRE(old.status == 200);
  const auto meta = without_extent(body_of(reply)["meta"]);
  const auto old_meta = body_of(old)["meta"];
  CHECK(meta.contains("partial_until") == old_meta.contains("partial_until"));
  CHECK(meta.value("sum_of_days", false) == old_meta.value("sum_of_days", false));
  CHECK(meta.value("removal_running", false) == old_meta.value("removal_running", false));
  return meta;
}

/// Stores a pageview of a.de as the import "log".
void import_view(StatsFixture& fixture, const std::string& time) {
  auto headers = import_headers("0-10", "log");
  headers.emplace_back("User-Agent", kFirefox);
  const auto line = pageview("/", R"(,"ip":"2.2.2.2","timestamp":")" + time + "\"") + "\n";
  REQUIRE(fixture.api.bulk(line, std::move(headers)).status == 200);
}

}  // namespace

TEST_CASE("caveats: an answer that needs none has an empty meta", "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}});
  CHECK(meta_of(fixture, {"2026-11-20", "2026-11-20"}, "period=day&date=2026-11-20") ==
        json::object());
  CHECK(meta_of(fixture, {"2026-11-18", "2026-11-20"},
                "period=custom&date=2026-11-18,2026-11-20") == json{{"sum_of_days", true}});
  CHECK(meta_of(fixture, {"2026-11-18", "2026-11-20"}, "period=custom&date=2026-11-18,2026-11-20",
                "pageviews") == json::object());
}

TEST_CASE("caveats: a day in another time zone is reported as a sum over two UTC days",
          "[contract][stats]") {
  StatsFixture fixture("America/New_York");
  const auto meta = [&](const json& range, const json& dimensions) {
    return without_extent(body_of(fixture.query({{"site_id", "a.de"},
                                                 {"metrics", {"visitors"}},
                                                 {"date_range", range},
                                                 {"dimensions", dimensions}}))["meta"]);
  };
  const json day = {"2026-11-20", "2026-11-20"};
  const json sum = {{"sum_of_days", true}};
  CHECK(meta_of(fixture, day, "period=day&date=2026-11-20") == sum);
  CHECK(meta(day, {"event:page"}) == sum);
  CHECK(meta(day, {"time:day"}) == sum);
  CHECK(meta(day, {"time:hour"}) == json::object());
  CHECK(meta({"2026-11-20T00:00:00Z", "2026-11-20T23:59:59Z"}, json::array()) == json::object());
}

TEST_CASE("caveats: a range that includes now says up to when it is complete",
          "[contract][stats]") {
  StatsFixture fixture("Asia/Kolkata");
  const auto meta = meta_of(fixture, "day", "period=day");
  const auto until = meta["partial_until"].get<std::string>();
  CHECK(until.ends_with("+05:30"));
  const auto now = std::chrono::system_clock::now();
  CHECK(parse_rfc3339(until).value() <= now);
  CHECK(parse_rfc3339(until).value() > now - std::chrono::minutes(10));
  CHECK(meta_of(fixture, "7d", "period=7d") == json{{"sum_of_days", true}});
}

TEST_CASE("caveats: rows that are left out are counted", "[contract][stats]") {
  StatsFixture fixture;
  for (int i = 0; i < 7; ++i) {
    fixture.visit(fmt::format("1.1.1.{}", i), {{"10:00:00", fmt::format("/{}", i)}});
  }
  const auto meta = [&](int limit, int offset) {
    const auto reply = fixture.query({{"site_id", "a.de"},
                                      {"metrics", {"visitors"}},
                                      {"date_range", {"2026-11-20", "2026-11-20"}},
                                      {"dimensions", {"event:page"}},
                                      {"pagination", {{"limit", limit}, {"offset", offset}}}});
    return without_extent(body_of(reply)["meta"]);
  };
  CHECK(meta(4, 0) == json{{"cut", 3}});
  CHECK(meta(4, 2) == json{{"cut", 1}});
  CHECK(meta(7, 0) == json::object());
  const auto old = fixture.api.send(
      "GET",
      "/api/v1/stats/"
      "breakdown?site_id=a.de&property=event:page&limit=5&period=day&date=2026-11-20");
  CHECK(without_extent(body_of(old)["meta"]) == json{{"cut", 2}});
}

TEST_CASE("caveats: the answer gives the share of the rows that combine several texts",
          "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/(other)"}});
  fixture.event("1.1.1.1", "(other)", "10:01:00");
  for (int i = 2; i < 5; ++i) fixture.visit(fmt::format("1.1.1.{}", i), {{"10:00:00", "/"}});
  const auto body = body_of(fixture.query({{"site_id", "a.de"},
                                           {"metrics", {"visitors"}},
                                           {"date_range", {"2026-11-20", "2026-11-20"}},
                                           {"dimensions", {"event:name"}}}));
  CHECK(body["meta"]["other"] == 20);  // the row "(other)" has 1 of 4 + 1 visitors
}

TEST_CASE("caveats: each site in a list has its own meta", "[contract][alone]") {
  StatsFixture fixture;
  fixture.api.form("POST", "/api/v1/sites", "domain=b.de");
  const auto now = std::chrono::system_clock::now();
  import_view(fixture, format_rfc3339(std::chrono::floor<std::chrono::seconds>(now)));
  fixture.restart("removal_rests=on");
  REQUIRE(fixture.api.send("DELETE", "/api/v1/sites/a.de/imports/log").status == 200);
  const auto sites = body_of(fixture.api.send("GET", "/api/v1/stats/sites"))["sites"];
  CHECK(sites[0]["meta"] == json{{"removal_running", true}});
  CHECK(sites[1]["meta"] == json::object());
}

TEST_CASE("caveats: a removal counts at once, and is reported until it is done",
          "[contract][alone]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}});
  import_view(fixture, "2026-11-20T11:00:00Z");
  const auto answer = [&] {
    const auto reply =
        fixture.api.send("GET", "/api/v1/stats/aggregate?site_id=a.de&period=day&date=2026-11-20");
    REQUIRE(reply.status == 200);
    const auto body = body_of(reply);
    return std::pair(body["results"]["visitors"]["value"].get<int>(), body["meta"]);
  };
  CHECK(answer() == std::pair(2, json::object()));
  fixture.restart("removal_rests=on");
  REQUIRE(fixture.api.send("DELETE", "/api/v1/sites/a.de/imports/log").status == 200);
  CHECK(answer() == std::pair(1, json{{"removal_running", true}}));
  fixture.restart();
  while (fixture.daemon.query("SELECT count(*) FROM removals") != "0") std::this_thread::yield();
  CHECK(answer() == std::pair(1, json::object()));
}

TEST_CASE("caveats: events of a day whose visitors are forgotten are reported",
          "[contract][alone]") {
  StatsFixture fixture;
  fixture.api.form("POST", "/api/v1/sites", "domain=b.de");
  for (int i = 0; i < 3; ++i) fixture.visit(fmt::format("1.1.1.{}", i), {{"10:00:00", "/"}});
  CHECK(meta_of(fixture, {"2026-11-20", "2026-11-20"}, "period=day&date=2026-11-20") ==
        json::object());
  // The salt is destroyed at once, as it would be three days later.
  fixture.daemon.end();
  fixture.change("DELETE FROM salts");
  fixture.daemon.start();
  const auto view = [&](const std::string& domain, const std::string& address) {
    const auto reply =
        fixture.api.event(fmt::format(R"({{"d":"{0}","n":"pageview","u":"https://{0}/",)"
                                      R"("ip":"{1}","timestamp":"2026-11-20T22:00:00Z"}})",
                                      domain, address),
                          {{"User-Agent", kFirefox}});
    REQUIRE(reply.status == 202);
  };
  for (const auto* address : {"1.1.1.0", "1.1.1.1"}) view("a.de", address);
  // A site without events on that day has lost no recognition.
  view("b.de", "1.1.1.1");
  const json lost = {{"recognition_lost", {{{"day", "2026-11-20"}, {"events", 2}}}}};
  const auto meta = [&](const std::string& question) {
    return body_of(
        fixture.api.send("GET", "/api/v1/stats/aggregate?period=day&" + question))["meta"];
  };
  CHECK(meta("site_id=a.de&date=2026-11-20") == lost);
  CHECK(meta("site_id=a.de&date=2026-11-19") == json::object());
  const json question = {{"site_id", "a.de"},
                         {"metrics", {"pageviews"}},
                         {"date_range", {"2026-11-21", "2026-11-21"}},
                         {"include", {{"comparisons", {{"mode", "previous_period"}}}}}};
  CHECK(body_of(fixture.query(question))["meta"] == lost);
  CHECK(meta("site_id=b.de&date=2026-11-20") == json::object());
}

TEST_CASE("caveats: there is no answer while visits cannot be written", "[contract][alone]") {
  StatsFixture fixture;
  fixture.restart("in_visits=on");
  const auto view = pageview("/", R"(,"ip":"1.1.1.1","timestamp":"2026-11-20T10:00:00Z")");
  REQUIRE(fixture.api.event(view, {{"User-Agent", kFirefox}}).status == 202);
  const std::string question = "/api/v1/stats/aggregate?site_id=a.de&period=day&date=2026-11-20";
  const auto refused = fixture.api.send("GET", question);
  CHECK(refused.status == 503);
  CHECK(!refused.header("Retry-After").empty());
  fixture.daemon.stop(SIGTERM);
  fixture.daemon.start();
  CHECK(body_of(fixture.api.send("GET", question))["results"]["visitors"]["value"] == 1);
}

TEST_CASE("caveats: the JSON form is read back unchanged and becomes sentences", "[contract]") {
  Caveats caveats;
  caveats.partial_until = "2026-11-20T10:00:30+01:00";
  caveats.removal_running = true;
  caveats.recognition_lost = {{*parse_day("2026-10-31"), 1'234}};
  caveats.sum_of_days = true;
  caveats.totals = {{*parse_day("2026-10-01"), *parse_day("2026-10-31")}};
  caveats.cut = 31;
  caveats.other = 2.5;
  caveats.up_to = "2026-11-20T10:00:00Z";
  caveats.behind = {"b"};
  auto meta = ordered_json::object();
  add_to(meta, caveats);
  auto again = ordered_json::object();
  add_to(again, caveats_in(meta));
  CHECK(again == meta);
  CHECK(meta.size() == 9);
  const auto all = sentences(caveats_in(meta));
  REQUIRE(all.size() == 7);
  CHECK(all[0] == "The period is not over: its numbers are up to 2026-11-20 10:00.");
  CHECK(all[2] ==
        "1,234 events of 2026-10-31 came when its visitors could not be recognised any more: they "
        "count as new.");
  CHECK(all[4] == "Only daily totals are kept of 2026-10-01 to 2026-10-31.");
  CHECK(sentences(
            caveats_in(ordered_json::parse(
                R"({"partial_until":3,"totals":[["x"]],"recognition_lost":[1,{}],"behind":5})")))
            .empty());
}

}  // namespace analytics::test::caveats_test
