// The Stats API v1 on a small site, with results worked out by hand.
#include "tests/contract/stats_fixture.h"

namespace analytics::test::stats_v1_test {

TEST_CASE("stats v1: a breakdown sorts its rows by visitors, then by name", "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:05:00", "/b"}}, "https://google.com/");
  fixture.visit("2.2.2.2", {{"10:00:00", "/"}}, "https://google.com/");
  fixture.visit("3.3.3.3", {{"10:00:00", "/b"}});
  CHECK(
      fixture.v1("breakdown",
                 "property=visit:source&metrics=visitors,visits,pageviews,events,"
                 "bounce_rate,visit_duration") ==
      R"([{"source":"Google","visitors":2,"visits":2,"pageviews":3,"events":3,"bounce_rate":50,"visit_duration":150},)"
      R"({"source":"Direct / None","visitors":1,"visits":1,"pageviews":1,"events":1,"bounce_rate":100,"visit_duration":0}])");
  CHECK(fixture.v1("breakdown", "property=event:page&metrics=pageviews") ==
        R"([{"page":"/","pageviews":2},{"page":"/b","pageviews":2}])");
  CHECK(fixture.v1("breakdown", "property=event:page&metrics=pageviews&limit=1&page=2") ==
        R"([{"page":"/b","pageviews":2}])");
  CHECK(fixture.v1("breakdown", "property=event:page&limit=1&page=9") == "[]");
  CHECK(fixture.v1("breakdown", "property=visit:channel") ==
        R"([{"channel":"Organic Search","visitors":2},{"channel":"Direct","visitors":1}])");
  CHECK(fixture.v1("breakdown", "property=visit:browser_version") ==
        R"([{"browser_version":"131.0","browser":"Firefox","visitors":3}])");
  // As in Plausible, unknown places have no rows.
  for (const auto* property : {"region", "country", "city"}) {
    CHECK(fixture.v1("breakdown", std::string("property=visit:") + property) == "[]");
  }
}

TEST_CASE("stats v1: a page's bounce rate and duration refer to the visits that began there",
          "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:10:00", "/b"}, {"10:25:00", "/c"}});
  fixture.visit("2.2.2.2", {{"10:00:00", "/"}});
  fixture.visit("3.3.3.3", {{"10:00:00", "/b"}});
  CHECK(
      fixture.v1("breakdown", "property=event:page&metrics=visitors,bounce_rate,visit_duration") ==
      R"([{"page":"/","visitors":2,"bounce_rate":50,"visit_duration":750},)"
      R"({"page":"/b","visitors":2,"bounce_rate":100,"visit_duration":0},)"
      R"({"page":"/c","visitors":1,"bounce_rate":0,"visit_duration":null}])");
  CHECK(
      fixture.v1("aggregate",
                 "filters=event:page==/b&metrics=pageviews,visitors,bounce_rate,"
                 "visit_duration") ==
      R"({"pageviews":{"value":2},"visitors":{"value":2},"bounce_rate":{"value":100},"visit_duration":{"value":0}})");
  CHECK(
      fixture.v1("breakdown", "property=visit:entry_page&metrics=visits,pageviews") ==
      R"([{"entry_page":"/","visits":2,"pageviews":4},{"entry_page":"/b","visits":1,"pageviews":1}])");
  CHECK(
      fixture.v1("breakdown", "property=visit:exit_page&metrics=visits") ==
      R"([{"exit_page":"/","visits":1},{"exit_page":"/b","visits":1},{"exit_page":"/c","visits":1}])");
}

TEST_CASE("stats v1: time on page and scroll depth have the right values", "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:10:00", "/b"}});
  fixture.visit("2.2.2.2", {{"10:00:00", "/"}});
  fixture.event("1.1.1.1", "engagement", "10:01:00", R"("e":40000,"sd":30,)");
  fixture.event("1.1.1.1", "engagement", "10:02:00", R"("e":20000,"sd":91,)");
  fixture.event("2.2.2.2", "engagement", "10:01:00", R"("e":30000,"sd":20,)");
  CHECK(fixture.v1("breakdown", "property=event:page&metrics=visitors,time_on_page,scroll_depth") ==
        R"([{"page":"/","visitors":2,"time_on_page":45,"scroll_depth":56},)"
        R"({"page":"/b","visitors":1,"time_on_page":null,"scroll_depth":null}])");
  CHECK(fixture.v1("aggregate", "filters=event:page==/&metrics=time_on_page,scroll_depth,events") ==
        R"({"time_on_page":{"value":45},"scroll_depth":{"value":56},"events":{"value":2}})");
  CHECK(code_of(
            fixture.api.send("GET", "/api/v1/stats/aggregate?site_id=a.de&metrics=time_on_page")) ==
        "400 invalid_parameter");
  CHECK(fixture.v2(R"(["exit_rate"])", R"("dimensions":["visit:exit_page"])") ==
        R"(["/b"][100] ["/"][50])");
  CHECK(fixture.v2(R"(["time_on_page","visitors"])") == "[][null,2]");
  CHECK(fixture.v2(R"(["time_on_page"])",
                   R"("dimensions":["event:page"],"order_by":[["time_on_page","desc"]])") ==
        R"(["/"][45] ["/b"][null])");
  fixture.event("3.3.3.3", "pageview", "10:00:00", R"("props":{"plan":"pro"},)");
  fixture.event("3.3.3.3", "engagement", "10:01:00",
                R"("e":90000,"sd":70,"props":{"plan":"pro"},)");
  CHECK(fixture.v1("breakdown",
                   "property=event:page&metrics=time_on_page,scroll_depth&filters="
                   "event:props:plan==pro") ==
        R"([{"page":"/","time_on_page":90,"scroll_depth":70}])");
  CHECK(fixture.v2(R"(["visitors","time_on_page"])",
                   R"("dimensions":["event:props:plan"],"filters":[["is","event:page",["/"]]])") ==
        R"-(["(none)"][2,45] ["pro"][1,90])-");
  // The order is by visitors, even if that metric is not requested.
  fixture.visit("4.4.4.4", {{"10:00:00", "/b"}, {"10:10:00", "/b"}});
  fixture.event("4.4.4.4", "engagement", "10:01:00", R"("e":99000,)", "/b");
  CHECK(fixture.v1("breakdown", "property=event:page&metrics=time_on_page") ==
        R"([{"page":"/","time_on_page":60},{"page":"/b","time_on_page":99}])");
}

TEST_CASE("stats v1: every kind of filter selects the right visitors", "[contract][stats]") {
  StatsFixture fixture;
  fixture.goal("goal_type=event&event_name=Signup");
  fixture.goal("goal_type=page&page_type=/blog**");
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:05:00", "/blog/a"}}, "https://google.com/");
  fixture.visit("2.2.2.2", {{"10:00:00", "/blog/a/b"}}, "https://bing.com/");
  fixture.visit("3.3.3.3", {{"10:00:00", "/a|b;c"}});
  fixture.event("3.3.3.3", "Signup", "10:01:00", R"("props":{"plan":"pro"},)");
  fixture.event("2.2.2.2", "Signup", "10:01:00");
  const auto visitors = [&](const std::string& filters) {
    return fixture.v1_value("aggregate", "metrics=visitors&filters=" + percent_encode(filters));
  };
  CHECK(visitors("event:page==/blog/a") == 1);
  CHECK(visitors("event:page==/blog/*") == 2);
  CHECK(visitors("event:page==/blog/**") == 2);
  CHECK(visitors("event:page==/|/blog/a/b") == 3);  // a custom event also has a page
  CHECK(visitors("event:page==/a\\|b\\;c") == 1);
  CHECK(visitors("event:page!=/|/blog/**") == 1);
  CHECK(visitors("visit:source==Google|Bing") == 2);
  CHECK(visitors("visit:source!=Google|Bing") == 1);
  CHECK(visitors("visit:source==Direct / None") == 1);
  CHECK(visitors("visit:source!=Google;event:page==/blog/**") == 1);
  CHECK(visitors("visit:entry_page==/") == 1);
  CHECK(visitors("event:goal==Signup") == 2);
  CHECK(visitors("event:goal==Signup|Visit /blog**") == 3);
  CHECK(visitors("event:props:plan==pro") == 1);
  CHECK(visitors("event:props:plan==(none)") == 3);
  CHECK(visitors("event:props:plan!=pro") == 3);
  CHECK(visitors("event:props:plan==p*") == 1);
  CHECK(visitors("event:props:plan!=x*") == 1);  // a missing property never matches a wildcard
  CHECK(visitors(" event:name == Signup ; visit:source == Bing ") == 1);
  CHECK(visitors("visit:utm_source==(not set)") == 3);
  CHECK(visitors("") == 3);
  CHECK(visitors(R"([["is","event:page",["/blog/a"]]])") == 1);
  CHECK(visitors(R"( [["or",[["is","event:page",["/blog/a"]],["is","visit:source",["Bing"]]]]])") ==
        2);
  CHECK(visitors("[]") == 3);
}

TEST_CASE("stats v1: a breakdown by a tag leaves out visits without it", "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}});
  fixture.visit("2.2.2.2", {{"10:00:00", "/"}});
  fixture.visit("3.3.3.3", {{"10:00:00", "/"}});
  const auto tagged = [&](const std::string& address, const std::string& tag) {
    fixture.event(address, "pageview", "10:00:00", "", "/?utm_source=" + tag);
  };
  tagged("4.4.4.4", "news");
  tagged("5.5.5.5", "news");
  tagged("6.6.6.6", "mail");
  const auto page = [&](const std::string& query) {
    std::string shown;
    for (const auto& row : fixture.ask_v1("breakdown", "property=visit:utm_source&" + query)) {
      shown += row["utm_source"].get<std::string>() + " ";
    }
    return shown;
  };
  CHECK(page("") == "news mail ");
  CHECK(page("limit=1") == "news ");
  CHECK(page("limit=1&page=2") == "mail ");
  CHECK(page("limit=1&page=3").empty());
}

TEST_CASE("stats v1: goals and their rates also count events from before the goal",
          "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"10:00:00", "/blog"}, {"10:05:00", "/blog/a"}});
  fixture.visit("2.2.2.2", {{"10:00:00", "/blog"}});
  fixture.visit("3.3.3.3", {{"10:00:00", "/"}});
  fixture.visit("4.4.4.4", {{"10:00:00", "/"}});
  fixture.event("1.1.1.1", "Signup", "10:06:00", R"("props":{"plan":"pro"},)");
  fixture.event("1.1.1.1", "Signup", "10:07:00", R"("props":{"plan":"free"},)");
  CHECK(fixture.v1("breakdown", "property=event:goal") == "[]");
  fixture.goal("goal_type=event&event_name=Signup");
  fixture.goal("goal_type=page&page_type=/blog**");
  fixture.goal("goal_type=page&page_type=/blog/*");
  CHECK(fixture.v1("breakdown",
                   "property=event:goal&metrics=visitors,events,pageviews,conversion_rate") ==
        R"([{"goal":"Visit /blog**","visitors":2,"events":3,"pageviews":3,"conversion_rate":50},)"
        R"({"goal":"Signup","visitors":1,"events":2,"pageviews":0,"conversion_rate":25},)"
        R"({"goal":"Visit /blog/*","visitors":1,"events":1,"pageviews":1,"conversion_rate":25}])");
  CHECK(fixture.v1("breakdown", "property=event:goal&filters=event:goal==Signup") ==
        R"([{"goal":"Signup","visitors":1}])");
  CHECK(
      fixture.v1("breakdown",
                 "property=event:props:plan&filters=event:goal==Signup&"
                 "metrics=visitors,conversion_rate") ==
      R"([{"plan":"free","visitors":1,"conversion_rate":25},{"plan":"pro","visitors":1,"conversion_rate":25}])");
  // By any other dimension, the rate refers to the visitors of the same row.
  CHECK(
      fixture.v1("breakdown",
                 "property=event:page&filters=event:goal==Visit%20/blog**&"
                 "metrics=visitors,conversion_rate") ==
      R"([{"page":"/blog","visitors":2,"conversion_rate":100},{"page":"/blog/a","visitors":1,"conversion_rate":100}])");
  CHECK(fixture.v1("aggregate",
                   "filters=event:goal==Signup;event:props:plan==pro&"
                   "metrics=visitors,conversion_rate") ==
        R"({"visitors":{"value":1},"conversion_rate":{"value":25}})");
}

TEST_CASE("stats v1: a timeseries has every bucket", "[contract][stats]") {
  StatsFixture fixture;
  fixture.visit("1.1.1.1", {{"00:10:00", "/"}, {"00:20:00", "/"}});
  fixture.visit("2.2.2.2", {{"23:50:00", "/"}});
  const auto hours = fixture.v1_json("timeseries", "metrics=visitors,visit_duration,bounce_rate");
  REQUIRE(hours.size() == 24);
  CHECK(hours[0].dump() ==
        R"({"bounce_rate":0,"date":"2026-11-20 00:00:00","visit_duration":600,"visitors":1})");
  CHECK(hours[1].dump() ==
        R"({"bounce_rate":0,"date":"2026-11-20 01:00:00","visit_duration":null,"visitors":0})");
  CHECK(hours[23].dump() ==
        R"({"bounce_rate":100,"date":"2026-11-20 23:00:00","visit_duration":0,"visitors":1})");
  CHECK(fixture.v1("timeseries", "interval=day&metrics=pageviews,views_per_visit") ==
        R"([{"date":"2026-11-20","pageviews":3,"views_per_visit":1.5}])");
  const auto days = fixture.v1_json("timeseries", "period=7d&date=2026-11-21");
  REQUIRE(days.size() == 7);
  CHECK(days[6].dump() == R"({"date":"2026-11-20","visitors":2})");
  const auto months = fixture.v1_json("timeseries", "period=6mo&date=2026-11-21");
  REQUIRE(months.size() == 6);
  CHECK(months[5].dump() == R"({"date":"2026-11-01","visitors":2})");
  CHECK(fixture.v1_json("timeseries", "period=month&date=2026-11-03").size() == 30);
}

TEST_CASE("stats v1: a meaningless or unknown value is refused with its parameter's name",
          "[contract][stats]") {
  StatsFixture fixture;
  const auto blamed = [&](const std::string& route, const std::string& query) {
    const auto reply = fixture.api.send("GET", "/api/v1/stats/" + route + "?site_id=a.de&" + query);
    CHECK(reply.status == 400);
    return body_of(reply)["errors"].items().begin().key();
  };
  CHECK(blamed("breakdown", "") == "property");
  CHECK(blamed("breakdown", "property=visit:shoes") == "property");
  CHECK(blamed("breakdown", "property=time:day") == "property");
  CHECK(blamed("breakdown", "property=event:page&limit=0") == "limit");
  CHECK(blamed("breakdown", "property=event:page&limit=1001") == "limit");
  CHECK(blamed("breakdown", "property=event:page&page=0") == "page");
  CHECK(blamed("breakdown", "property=event:page&metrics=views_per_visit") == "metrics");
  CHECK(blamed("aggregate", "metrics=conversion_rate") == "metrics");
  CHECK(blamed("aggregate", "metrics=visitors,visitors") == "metrics");
  CHECK(blamed("aggregate", "metrics=group_conversion_rate") == "metrics");
  CHECK(blamed("timeseries", "interval=hour") == "interval");
  CHECK(blamed("aggregate", "filters=[[\"is\",\"event:shoes\",[\"x\"]]]") == "filters");
  CHECK(blamed("aggregate", "filters=[[") == "filters");
  CHECK(blamed("timeseries", "period=custom&date=0001-01-01,9999-12-31") == "date");
}

TEST_CASE("stats v1: the realtime route counts visitors of the last five minutes",
          "[contract][stats]") {
  StatsFixture fixture;
  const auto realtime = [&] {
    return fixture.api.send("GET", "/api/v1/stats/realtime/visitors?site_id=a.de").body;
  };
  CHECK(realtime() == "0");
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}});
  CHECK(realtime() == "0");
  fixture.api.event(pageview(), {{"User-Agent", kFirefox}});
  CHECK(realtime() == "1");
}

// Does not run in a cluster, where `up_to` changes the answer without new events.
TEST_CASE("stats: an answer that the client already has is not sent again", "[contract][alone]") {
  StatsFixture fixture;
  const std::string path = "/api/v1/stats/breakdown?site_id=a.de&property=event:page";
  const auto first = fixture.api.send("GET", path);
  REQUIRE(first.status == 200);
  const std::string tag(first.header("ETag"));
  CHECK(first.header("Cache-Control") == "private, no-cache");
  CHECK(fixture.api.send("GET", path, "", "", {{"If-None-Match", tag}}).status == 304);
  fixture.visit("1.1.1.1", {{"10:00:00", "/"}});
  fixture.visit("1.1.1.1", {{"10:01:00", "/x"}});
  CHECK(fixture.api
            .send("GET", path + "&period=day&date=2026-11-20", "", "", {{"If-None-Match", tag}})
            .status == 200);
}

}  // namespace analytics::test::stats_v1_test
