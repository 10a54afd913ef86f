// Totals counted by another service: imported once, added up for the days that they cover, and
// removed.
#include <csignal>

#include "tests/contract/stats_fixture.h"

namespace analytics::test::totals_test {

namespace {

struct Fixture : StatsFixture {
  /// Imports lines of totals on a new connection.
  HttpReply import(const std::string& lines, const std::string& id = "x", int from = 0,
                   const std::string& other_key = "") const {
    const auto range = std::to_string(from) + "-" + std::to_string(from + 10);
    return Api(daemon, other_key.empty() ? key : other_key)
        .send("POST", "/api/v1/sites/a.de/imports/" + id + "/totals", lines, kNdjson,
              import_headers(range, ""));
  }
  nlohmann::json answer(const std::string& rest, const std::string& days,
                        const std::string& metrics = R"("visitors","pageviews")") {
    const auto reply = api.json("POST", "/api/v2/query",
                                R"({"site_id":"a.de","date_range":)" + days + R"(,"metrics":[)" +
                                    metrics + R"(],"include":{"imports":true})" + rest + "}");
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    return body_of(reply);
  }
  std::string rows(const std::string& rest = "",
                   const std::string& days = R"(["2026-11-18","2026-11-20"])") {
    std::string rows;
    const auto all = answer(rest, days);
    for (const auto& row : all["results"]) {
      rows += (rows.empty() ? "" : " ") + row["dimensions"].dump() + row["metrics"].dump();
    }
    return rows;
  }
};

std::string line(const std::string& day, const std::string& dimension, const std::string& value,
                 int visitors, int pageviews) {
  return R"({"day":")" + day + R"(","dimension":")" + dimension + R"(","value":")" + value +
         R"(","visitors":)" + std::to_string(visitors) + R"(,"visits":)" +
         std::to_string(visitors) + R"(,"pageviews":)" + std::to_string(pageviews) + "}\n";
}

}  // namespace

TEST_CASE("totals: imported totals are added to the site's numbers and can be undone",
          "[contract][alone][totals]") {
  Fixture fixture;
  fixture.visit("192.0.2.1", {{"10:00:00", "/here"}}, "https://news.example/");
  const auto lines = line("2026-11-18", "total", "", 5, 9) + line("2026-11-19", "total", "", 3, 4) +
                     line("2026-11-18", "visit:source", "news.example", 2, 4) +
                     line("2026-11-19", "visit:source", "Direct / None", 3, 4) +
                     line("2026-11-18", "visit:country", "DE", 5, 9);
  const auto stored = fixture.import(lines);
  INFO(stored.body);
  CHECK(body_of(stored)["accepted"] == 5);
  CHECK(fixture.rows() == "[][9,14]");
  CHECK(fixture.rows(R"(,"dimensions":["time:day"])") ==
        R"(["2026-11-18"][5,9] ["2026-11-19"][3,4] ["2026-11-20"][1,1])");
  CHECK(fixture.rows(R"(,"dimensions":["visit:source"])") ==
        R"(["Direct / None"][3,4] ["news.example"][3,5])");
  CHECK(fixture.rows(R"(,"dimensions":["visit:country_name"])").find(R"(["Germany"][5,9])") !=
        std::string::npos);
  // Without `imports`, only events counted here are in the answer.
  CHECK(fixture.v2(R"(["visitors"])") == "[][1]");
  const std::string period = "period=custom&date=2026-11-18,2026-11-20";
  CHECK(fixture.v1_value("aggregate", period) == 1);
  CHECK(fixture.v1_value("aggregate", period + "&with_imported=true") == 9);
  CHECK(body_of(fixture.api.send("GET", "/api/v1/sites/a.de/imports/x"))["totals"] == 5);
  // A second import of the same lines changes nothing, under another name or with other bytes.
  CHECK(body_of(fixture.import(lines))["repeated"] == true);
  CHECK(body_of(fixture.import(lines, "y"))["duplicate"] == 5);
  CHECK(code_of(fixture.import(line("2026-11-18", "total", "", 1, 1))) == "409 range_overlap");
  CHECK(fixture.rows() == "[][9,14]");
  fixture.daemon.stop(SIGTERM);
  fixture.daemon.start();
  CHECK(fixture.rows() == "[][9,14]");
  CHECK(fixture.api.send("DELETE", "/api/v1/sites/a.de/imports/x").status == 200);
  CHECK(fixture.rows() == "[][1,1]");
}

TEST_CASE("totals: imported totals add no row for an unknown place or an absent campaign",
          "[contract][alone][totals]") {
  Fixture fixture;
  std::string lines = line("2026-11-18", "total", "", 5, 9);
  for (const std::string by :
       {"visit:utm_campaign", "visit:country", "visit:city", "visit:device"}) {
    lines += line("2026-11-18", by, "", 2, 4);
  }
  lines += line("2026-11-18", "visit:country", "DE", 3, 5);
  CHECK(body_of(fixture.import(lines))["rejected"] == 0);
  CHECK(fixture.rows(R"(,"dimensions":["visit:utm_campaign"])").empty());
  CHECK(fixture.rows(R"(,"dimensions":["visit:city_name"])").empty());
  CHECK(fixture.rows(R"(,"dimensions":["visit:country"])") == R"(["DE"][3,5])");
  CHECK(fixture.rows(R"(,"dimensions":["visit:device"])") == R"-(["(not set)"][2,4])-");
  CHECK(fixture.rows() == "[][5,9]");
}

TEST_CASE("totals: a site without totals says so", "[contract][alone][totals]") {
  Fixture fixture;
  const auto meta = fixture.answer("", R"(["2026-11-18","2026-11-20"])")["meta"];
  CHECK(meta["imports_included"] == false);
  CHECK(meta["imports_skip_reason"] == "no_imported_data");
}

TEST_CASE("totals: a day counts once, by its events or by the latest import",
          "[contract][alone][totals]") {
  Fixture fixture;
  const auto day = [](int visitors) { return line("2026-11-20", "total", "", visitors, 7); };
  fixture.import(day(7) + line("2026-11-20", "event:page", "/p", 7, 7), "old");
  CHECK(fixture.rows() == "[][7,7]");
  fixture.import(day(8), "new", 10);
  CHECK(fixture.rows() == "[][8,7]");
  CHECK(fixture.rows(R"(,"dimensions":["event:page"])") == R"(["/p"][7,7])");
  fixture.visit("192.0.2.1", {{"10:00:00", "/here"}});
  CHECK(fixture.rows() == "[][1,1]");  // events take precedence even if they arrive later
  CHECK(fixture.api.send("DELETE", "/api/v1/sites/a.de/events?page=/here&from=2026-11-01").status ==
        200);
  CHECK(fixture.rows() == "[][8,7]");
  CHECK(fixture.api.send("DELETE", "/api/v1/sites/a.de/imports/new").status == 200);
  CHECK(fixture.rows() == "[][7,7]");
}

TEST_CASE("totals: imported totals are ignored on days whose own events became totals",
          "[contract][alone][totals]") {
  Fixture fixture;
  fixture.import(line("2026-11-19", "total", "", 5, 5), "kept");
  fixture.import(line("2026-11-19", "total", "", 7, 7), "x", 10);
  fixture.daemon.stop(SIGTERM);
  fixture.change(
      "UPDATE sites SET keep_totals = 1; UPDATE total_batches SET import = 0 WHERE import ="
      " (SELECT min(import) FROM total_batches)");  // like totals made by expiry
  fixture.daemon.start();
  CHECK(fixture.rows() == "[][5,5]");
}

TEST_CASE("totals: imported totals that cannot answer a query are left out with a note",
          "[contract][alone][totals]") {
  Fixture fixture;
  fixture.goal("goal_type=event&event_name=Signup");
  fixture.import(line("2026-11-18", "total", "", 3, 3) + line("2026-11-19", "total", "", 7, 9) +
                 line("2026-11-19", "visit:browser", "Firefox", 7, 9) +
                 line("2026-11-19", "event:page", "/p", 6, 6) +
                 line("2026-11-19", "event:goal", "Signup", 2, 0) +
                 line("2026-11-19", "event:goal", "Other", 4, 0));
  const std::string days = R"(["2026-11-18","2026-11-20"])";
  CHECK(fixture.answer("", days)["meta"]["imports_included"] == true);
  CHECK(fixture.rows(R"(,"dimensions":["event:goal"])") == R"(["Signup"][2,0])");
  for (const std::string rest :
       {R"(,"filters":[["is","visit:browser",["Firefox"]],["is","visit:os",["Linux"]]])",
        R"(,"filters":[["is","visit:browser",["Firefox"]]],"dimensions":["event:page"])",
        R"(,"filters":[["has_done",["is","event:page",["/p"]]]])",
        R"(,"dimensions":["visit:browser","visit:os"])", R"(,"dimensions":["visit:city"])",
        R"(,"dimensions":["time:hour"])"}) {
    const auto answer = fixture.answer(rest, days);
    CHECK(answer["results"].dump().find('7') == std::string::npos);
    CHECK(answer["meta"]["imports_included"] == false);
    const bool is_by_hour = rest.find("hour") != std::string::npos;
    CHECK(answer["meta"]["imports_skip_reason"] ==
          (is_by_hour ? "unsupported_interval" : "unsupported_query"));
  }
  // A day without rows of a dimension counts 0. An import without the dimension, however, does not
  // know the values, so its days are left out.
  const auto by_goal = [&] {
    return fixture.answer(R"(,"dimensions":["event:goal"])", days)["meta"]["imports_included"];
  };
  CHECK(by_goal() == true);
  fixture.import(line("2026-11-18", "total", "", 3, 3), "y", 10);
  CHECK(by_goal() == false);
  CHECK(fixture.api.send("DELETE", "/api/v1/sites/a.de/imports/y").status == 200);
  CHECK(by_goal() == true);
  // Days without imported totals are complete without them.
  const auto outside =
      fixture.answer(R"(,"dimensions":["visit:city"])", R"(["2026-11-20","2026-11-20"])");
  CHECK(outside["meta"]["imports_skip_reason"] == "out_of_range");
  const auto v1 = [&](const std::string& more) {
    return body_of(fixture.api.send("GET",
                                    "/api/v1/stats/aggregate?site_id=a.de&period=custom&"
                                    "date=2026-11-18,2026-11-20&with_imported=true" +
                                        more));
  };
  CHECK_FALSE(v1("").contains("warning"));
  CHECK_FALSE(v1("&filters=visit:browser%3D%3DFirefox").contains("warning"));
  CHECK(v1("&filters=visit:browser%3D%3DFirefox;event:page%3D%3D/p").contains("warning"));
  const auto warned =
      fixture.answer(R"(,"dimensions":["event:page"])", days, R"("visitors","scroll_depth")");
  CHECK(warned["meta"]["metric_warnings"]["scroll_depth"]["code"] == "totals_without_engagement");
}

TEST_CASE("totals: imported totals can be filtered by their own dimension",
          "[contract][alone][totals]") {
  Fixture fixture;
  fixture.goal("goal_type=event&event_name=Signup&display_name=Joined");
  fixture.goal("goal_type=event&event_name=Order");
  fixture.goal("goal_type=page&page_path=/blog/**");
  fixture.goal("goal_type=page&page_path=/p");
  fixture.import(line("2026-11-18", "total", "", 9, 20) + line("2026-11-19", "total", "", 7, 9) +
                 line("2026-11-18", "visit:source", "Google", 5, 11) +
                 line("2026-11-18", "visit:source", "Bing", 1, 2) +
                 line("2026-11-19", "visit:source", "", 7, 9) +
                 line("2026-11-19", "visit:utm_medium", "mail", 2, 3) +
                 line("2026-11-18", "event:page", "/p", 4, 6) +
                 line("2026-11-18", "event:page", "/blog/a", 3, 8) +
                 line("2026-11-19", "event:page", "/blog/b", 2, 2) +
                 line("2026-11-18", "visit:entry_page", "/p", 3, 5) +
                 line("2026-11-18", "event:name", "Signup", 2, 0) +
                 line("2026-11-18", "event:goal", "Signup", 2, 0) +
                 line("2026-11-19", "event:goal", "Order", 1, 0) +
                 line("2026-11-19", "event:name", "Order", 1, 0) +
                 line("2026-11-18", "visit:country", "DE", 6, 9) +
                 line("2026-11-18", "visit:country", "FR", 1, 1) +
                 line("2026-11-18", "visit:region", "DE-BE", 4, 5) +
                 line("2026-11-18", "visit:region", "FR-IDF", 1, 1));
  struct Case {
    std::string filters;
    std::string dimension;
    std::string rows;
  };
  const std::string google = R"(["is","visit:source",["Google"]])";
  for (const auto& [filters, dimension, rows] : std::vector<Case>{
           {google, "", "[][5,11]"},
           {google, "time:day", R"(["2026-11-18"][5,11])"},
           {google, "visit:source", R"(["Google"][5,11])"},
           {R"(["is_not","visit:source",["Google"]])", "", "[][8,11]"},
           {R"(["is","visit:source",["Direct / None"]])", "", "[][7,9]"},
           {R"(["contains","visit:source",["ing","oog"]])", "visit:source",
            R"(["Google"][5,11] ["Bing"][1,2])"},
           {R"(["or",[)" + google + R"(,["is","visit:source",["Bing"]]]])", "", "[][6,13]"},
           {R"(["not",)" + google + "]", "", "[][8,11]"},
           {R"(["matches","event:page",["^/blog/"]])", "event:page",
            R"(["/blog/a"][3,8] ["/blog/b"][2,2])"},
           {R"(["is","event:page",["/p"]])", "", "[][4,6]"},
           {R"(["is","event:goal",["Joined"]])", "", "[][2,0]"},
           {R"(["is","event:goal",["Visit /blog/**"]])", "", "[][5,10]"},
           {R"(["is","event:goal",["Visit /blog/**"]])", "event:page",
            R"(["/blog/a"][3,8] ["/blog/b"][2,2])"},
           {R"(["is","event:goal",["Visit /blog/**","Joined"]])", "event:goal",
            R"(["Visit /blog/**"][5,10] ["Joined"][2,0])"},
           {R"(["is","event:goal",["Joined","Order"]])", "event:name",
            R"(["Signup"][2,0] ["Order"][1,0])"},
           {R"(["is","event:page",["/p"]])", "event:goal", R"(["Visit /p"][4,6])"},
           {R"(["is","event:name",["Order"]])", "event:goal", R"(["Order"][1,0])"},
           {"", "event:goal",
            R"(["Visit /blog/**"][5,10] ["Visit /p"][4,6] ["Joined"][2,0] ["Order"][1,0])"},
           {R"(["is","visit:country",["DE"]])", "visit:region", R"(["DE-BE"][4,5])"},
           {R"(["is","visit:country_name",["France"]])", "visit:country_name",
            R"(["France"][1,1])"}}) {
    CAPTURE(filters, dimension);
    const auto rest = R"(,"filters":[)" + filters + R"(],"dimensions":[)" +
                      (dimension.empty() ? "" : '"' + dimension + '"') + "]";
    const std::string days = R"(["2026-11-18","2026-11-20"])";
    CHECK(fixture.rows(rest) == rows);
    CHECK(fixture.answer(rest, days)["meta"]["imports_included"] == true);
  }
  // A conversion rate refers to all visitors, including imported ones.
  const auto rate = fixture.answer(R"(,"filters":[["is","event:goal",["Joined"]]])",
                                   R"(["2026-11-18","2026-11-20"])", R"("conversion_rate")");
  CHECK(rate["results"][0]["metrics"][0] == 12.5);
  // The site's own events are added to the imported totals.
  fixture.visit("192.0.2.1", {{"10:00:00", "/p"}}, "https://www.google.com/");
  CHECK(fixture.rows(R"(,"filters":[)" + google + "]") == "[][6,12]");
}

TEST_CASE("totals: an invalid line is rejected alone, and an invalid request as a whole",
          "[contract][alone][totals]") {
  Fixture fixture;
  auto reason = [&, from = 0](const std::string& text) mutable {
    const auto reply = body_of(fixture.import(text + "\n", "bad", from += 10));
    if (reply["rejected"] != 1) return std::string("stored");
    return reply["problems"][0]["error"].get<std::string>();
  };
  CHECK(reason("{") != "stored");
  CHECK(reason("[]") != "stored");
  CHECK(reason(R"({"day":"2026-11-19"})") == "dimension is required.");
  CHECK(reason(R"({"dimension":"total"})") == "day is required.");
  CHECK(reason(R"({"day":"2026-02-30","dimension":"total"})").find("day must be") == 0);
  CHECK(reason(R"({"day":"2999-01-01","dimension":"total"})").find("day must be") == 0);
  CHECK(reason(R"({"day":"2026-11-19","dimension":"time:day"})").find("dimension must") == 0);
  CHECK(reason(R"({"day":"2026-11-19","dimension":"visit:nose"})").find("dimension must") == 0);
  CHECK(reason(R"({"day":"2026-11-19","dimension":"total","value":"x"})").find("value must") == 0);
  CHECK(reason(R"({"day":"2026-11-19","dimension":"total","visitors":-1})").find("visitors") == 0);
  CHECK(reason(R"({"day":"2026-11-19","dimension":"total","visitors":1.5})").find("visitors") == 0);
  CHECK(reason(R"({"day":"2026-11-19","dimension":"total","visitor":1})").find("is not a field") !=
        std::string::npos);
  CHECK(reason(R"({"day":"2026-11-19","dimension":"total","visitors":1})") == "stored");
  const auto path = "/api/v1/sites/a.de/imports/x/totals";
  const auto good = line("2026-11-19", "total", "", 1, 1);
  CHECK(code_of(fixture.api.send("POST", path, good, kNdjson)) == "400 invalid_parameter");
  CHECK(code_of(fixture.api.send("POST", path, good, "text/plain")) ==
        "415 unsupported_media_type");
  CHECK(code_of(fixture.import(good, "x", 0, fixture.daemon.make_key("other"))) ==
        "404 site_not_found");
  const auto reader = fixture.daemon.make_key("acme", {"--scope", "stats:read"});
  CHECK(code_of(fixture.import(good, "x", 0, reader)) == "403 missing_scope");
}

TEST_CASE("totals: an import killed at any moment is stored once", "[contract][alone][totals]") {
  const auto lines = line("2026-11-19", "total", "", 7, 9);
  for (const std::string point : {"in_imported_totals=kill", "before_commit=kill@2",
                                  "after_commit=kill@2", "before_reply=kill"}) {
    INFO(point);
    Fixture fixture;
    fixture.daemon.stop(SIGTERM);
    fixture.daemon.start(point);
    for (int i = 0; i < 3 && fixture.import(lines).status == 200; ++i) {
    }
    CHECK(fixture.daemon.wait() == 128 + SIGKILL);
    fixture.daemon.start();
    CHECK(body_of(fixture.import(lines))["accepted"] == 1);
    CHECK(fixture.rows() == "[][7,9]");
  }
}

}  // namespace analytics::test::totals_test
