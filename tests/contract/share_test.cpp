// The public parts: shared pages, the tracker, the pixel. tests/browser runs them in a real
// browser.
#include "tests/contract/stats_fixture.h"

using namespace analytics;
using namespace analytics::test;

namespace {

struct Shared : StatsFixture {
  using StatsFixture::StatsFixture;
  /// `path` of the page or below it, with the link's token and these parameters, asked without a
  /// key.
  HttpReply get(const std::string& parameters = "", const std::string& below = "") {
    return visitor.send("GET", path + below + "?auth=" + token + parameters);
  }
  bool has(const HttpReply& page, const std::string& text) {
    INFO(text);
    INFO(page.body);
    return page.body.find(text) != std::string::npos;
  }
  std::string url =
      body_of(api.form("PUT", "/api/v1/sites/shared-links", "site_id=a.de&name=x"))["url"];
  std::string path = "/share/a.de";
  std::string token = url.substr(url.find("auth=") + 5);
  Api visitor{daemon.url(), ""};
};

constexpr char kDay[] = "&from=2026-11-20&to=2026-11-20";

}  // namespace

TEST_CASE("share: the page has the numbers of its period, and those before", "[contract][share]") {
  Shared shared("Europe/Berlin");
  CHECK(shared.url == shared.daemon.url() + "/share/a.de?auth=" + shared.token);
  shared.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:02:05", "/b"}}, "https://google.com/");
  shared.visit("2.2.2.2", {{"10:00:00", "/<script>"}});
  const auto page = shared.get(kDay);
  CHECK(page.status == 200);
  CHECK(shared.has(page, "Visitors</span> <strong>2</strong>"));
  CHECK(shared.has(page, "Views per visit</span> <strong>1.5</strong>"));
  CHECK(shared.has(page, "Bounce rate</span> <strong>50%</strong>"));
  CHECK(shared.has(page, "Visit duration</span> <strong>1m 2s</strong>"));
  CHECK(shared.has(page, "20 Nov 2026, Europe/Berlin"));
  CHECK(shared.has(page, "<title>11:00: 2</title>"));
  CHECK(shared.has(page, "/&lt;script&gt;"));
  CHECK(!shared.has(page, "<script>"));
  CHECK(shared.has(page, "Google"));
  CHECK(shared.has(page, "Firefox") == false);
  CHECK(shared.has(shared.get(std::string(kDay) + "&devices=browser"), "Firefox"));
  CHECK(shared.has(shared.get("&from=2026-11-21&to=2026-11-21"),
                   "<strong>0</strong> <span class=\"worse\">−100%"));
  // The chart has the period before, and a line for each of two visitors.
  const auto next = shared.get("&from=2026-11-21&to=2026-11-21");
  CHECK(shared.has(next, "<title>11:00: 0 · 20 Nov, 11:00: 2 · −100%</title>"));
  CHECK(shared.has(next, "<polyline class=\"before\""));
  CHECK(shared.has(next, "<td>0</td><td>2</td><td>−100%</td>"));
  CHECK(shared.has(next, "y=\"0%\" dy=\".35em\">2</text>"));
  CHECK(shared.has(next, "y=\"50%\" dy=\".35em\">1</text>"));
  CHECK(!shared.has(page, "<polyline"));
  CHECK(shared.has(shared.get("&period=day"), "class=\"now running\""));
  CHECK(page.header("Cache-Control") == "no-store");
  CHECK(page.header("X-Robots-Tag") == "noindex");
  CHECK(page.header("Referrer-Policy") == "no-referrer");
  CHECK(page.header("Content-Security-Policy").find("default-src 'none'; script-src 'self'") == 0);
}

TEST_CASE("share: filters, panels and days of the URL", "[contract][share]") {
  Shared shared;
  shared.goal("goal_type=event&event_name=Signup");
  shared.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:02:00", "/b"}}, "https://google.com/");
  shared.visit("2.2.2.2", {{"10:00:00", "/"}});
  shared.event("2.2.2.2", "Signup", "10:01:00", R"("props":{"plan":"pro"},)");
  const auto filtered =
      shared.get(kDay + ("&filters=" + percent_encode(R"([["is","visit:source",["Google"]]])")));
  CHECK(shared.has(filtered, "Visitors</span> <strong>1</strong>"));
  CHECK(shared.has(filtered, "source is Google"));
  const auto page = shared.get(kDay);
  CHECK(shared.has(page, "<bdi>Signup</bdi></a></th><td>1</td><td>1</td><td>50%</td>"));
  CHECK(shared.has(page, "<bdi>pro</bdi></a></th><td>1</td><td>1</td>"));
  for (const auto* wrong : {"&period=x", "&from=x&to=y", "&metric=x", "&pages=x", "&props=x",
                            "&more=x", "&from=0001-01-01&to=9999-12-31"}) {
    CHECK(shared.get(wrong).status == 200);
  }
  // By a goal, numbers are those of conversions, each panel with its rate.
  shared.event("1.1.1.1", "Signup", "10:03:00", R"("revenue":{"amount":"9.90","currency":"EUR"},)");
  shared.event("3.3.3.3", "pageview", "10:00:00", R"("country":"KR",)");
  const auto converted =
      shared.get(kDay + ("&filters=" + percent_encode(R"([["is","event:goal",["Signup"]]])")));
  CHECK(shared.has(converted, "Converted</span> <strong>2</strong>"));
  CHECK(shared.has(converted, "Conversions</span> <strong>2</strong>"));
  CHECK(shared.has(converted, "Rate</span> <strong>66.67%</strong>"));
  CHECK(shared.has(converted, "Revenue</span> <strong>€9.90</strong>"));
  CHECK(!shared.has(converted, "Pageviews</span>"));
  CHECK(shared.has(converted, "<bdi>Google</bdi></a></th><td>1</td><td>100%</td>"));
  CHECK(shared.has(converted, "<bdi>Direct / None</bdi></a></th><td>1</td><td>50%</td>"));
  CHECK(shared.has(shared.get(kDay), "<td>2</td><td>2</td><td>66.67%</td><td>€9.90</td>"));
  CHECK(shared.has(shared.get(kDay), "<bdi>South Korea</bdi>"));
  CHECK(shared.has(
      shared.get(kDay + ("&filters=" + percent_encode(R"([["is","visit:country",["KR"]]])"))),
      "country is South Korea"));
  // Without its filters the page would show other numbers than it was sent for.
  for (const auto* filters :
       {"&filters=%5B", "&filters=x",
        "&filters=%5B%5B%22is%22%2C%22event%3Agoal%22%2C%5B%22Gone%22%5D%5D%5D"}) {
    const auto broken = shared.get(std::string(kDay) + filters);
    CHECK(broken.status == 200);
    CHECK(shared.has(broken, "The filters in this URL are not valid"));
    CHECK(!shared.has(broken, "Visitors</span>"));
    CHECK(shared.get(std::string(kDay) + filters, "/csv").status == 400);
  }
  CHECK(!shared.has(shared.get("&junk=xyzzy"), "xyzzy"));
  const auto versions = shared.get(std::string(kDay) + "&devices=browser_version");
  CHECK(shared.has(versions, percent_encode(R"(["is","visit:browser",["Firefox"]])")));
  for (const auto* period : {"day", "7d", "30d", "month", "6mo", "12mo", "year", "all"}) {
    CHECK(shared.has(shared.get(std::string("&period=") + period), "aria-current=\"true\""));
  }
}

TEST_CASE("share: every panel as CSV that no spreadsheet runs", "[contract][share]") {
  Shared shared;
  shared.visit("1.1.1.1", {{"10:00:00", "/=1+1,\"x\""}, {"11:00:00", "/b"}});
  shared.event("1.1.1.1", "=cmd()", "11:01:00", R"("props":{"plan":"@x"},)");
  const auto csv = [&](const std::string& parameters) {
    return shared.get(kDay + parameters, "/csv");
  };
  CHECK(csv("&panel=pages").body ==
        "event:page,visitors,percentage\r\n/,1,100\r\n\"/=1+1,\"\"x\"\"\",1,100\r\n/b,1,100\r\n");
  CHECK(csv("&panel=goals&goals=event").body ==
        "event:name,visitors,events\r\n'=cmd(),1,1\r\npageview,1,2\r\n");
  CHECK(csv("&panel=props").body.find("'@x,1,1\r\n") != std::string::npos);
  CHECK(csv("").body.starts_with(
      "time,visitors,visits,pageviews,views_per_visit,bounce_rate,visit_duration\r\n"
      "2026-11-20 00:00:00,0,0,0,0,0,\r\n"));
  CHECK(csv("").body.find("2026-11-20 10:00:00,1,1,1,1,100,0\r\n") != std::string::npos);
  CHECK(csv("&panel=sources").header("Content-Disposition") ==
        "attachment; filename=\"a.de-sources-2026-11-20-2026-11-20.csv\"");
  CHECK(csv("&panel=%22x").status == 404);
}

TEST_CASE("share: who has no link sees nothing, and not whether there is anything",
          "[contract][share]") {
  Shared shared;
  CHECK(shared.get("", "/current").body == "0");
  const auto unknown = shared.visitor.send("GET", "/share/nope?auth=" + shared.token);
  for (const auto* below : {"", "/current", "/csv"}) {
    for (const auto& auth : {std::string("wrong"), std::string(), shared.token + "x"}) {
      const auto wrong =
          shared.visitor.send("GET", "/share/a.de" + std::string(below) + "?auth=" + auth);
      CHECK(wrong.status == 404);
      CHECK(wrong.body == unknown.body);
    }
  }
  shared.api.form("PUT", "/api/v1/sites/a.de", "domain=b.de");
  CHECK(shared.get().status == 200);  // by the old name, for a while
  shared.api.send("DELETE", "/api/v1/sites/shared-links?site_id=b.de&name=x");
  CHECK(shared.get().status == 404);
}

TEST_CASE("share: current visitors and files of the page", "[contract][share]") {
  Shared shared;
  shared.api.event(R"({"d":"a.de","n":"pageview","u":"https://a.de/"})",
                   {{"User-Agent", kFirefox}});
  CHECK(shared.get("", "/current").body == "1");
  CHECK(shared.has(shared.get(), "<span id=\"current\">1</span>"));
  // The first event is of today.
  CHECK(shared.has(shared.get(), "aria-current=\"true\">Today<"));
  CHECK(shared.has(shared.get(), "Visitors</span> <strong>1</strong>"));
  for (const auto* file :
       {"/assets/share.css", "/assets/share.js", "/js/script.js", "/api/openapi.json"}) {
    const auto plain = shared.visitor.send("GET", file);
    CHECK(plain.status == 200);
    CHECK(plain.header("Cache-Control") == "public, max-age=3600");
    const auto again = shared.visitor.send("GET", file, "", "",
                                           {{"If-None-Match", std::string(plain.header("ETag"))}});
    CHECK(again.status == 304);
    CHECK(again.body.empty());
    const auto packed = shared.visitor.send("GET", file, "", "", {{"Accept-Encoding", "gzip, br"}});
    CHECK(packed.header("Content-Encoding") == "gzip");
    CHECK(packed.body.size() < plain.body.size());
  }
  // The tracker must be small, because every page of a site loads it.
  CHECK(shared.visitor.send("GET", "/js/script.js", "", "", {{"Accept-Encoding", "gzip"}})
            .body.size() <= 2'000);
}

TEST_CASE("tracker: every name that Plausible's snippets use, and no other", "[contract][share]") {
  Shared shared;
  const auto script = shared.visitor.send("GET", "/js/script.js").body;
  for (const std::string name :
       {"plausible.js", "analytics.js", "index.js", "script.hash.outbound-links.js",
        "plausible.file-downloads.local.manual.js",
        "script.tagged-events.pageview-props.revenue.js", "script.compat.exclusions.js",
        "pa-hQ2vXw7cYk.js"}) {
    INFO(name);
    CHECK(shared.visitor.send("GET", "/js/" + name).body == script);
  }
  for (const std::string name : {"script", "scripts.js", "script.unknown.js", "pa-.js",
                                 "script..js", "plausible.hash.js.map", "jquery.js"}) {
    INFO(name);
    const auto reply = shared.visitor.send("GET", "/js/" + name);
    CHECK(code_of(reply) == "404 not_found");
  }
  const auto log = shared.daemon.end();
  CHECK(log.find("pages request a tracker script that does not exist") != std::string::npos);
  CHECK(log.find("/js/script") != std::string::npos);
}

TEST_CASE("pixel: counts a pageview for pages without scripts", "[contract][pixel]") {
  Shared shared;
  const auto pixel = [&](const std::string& query, Headers headers = {}) {
    headers.emplace_back("User-Agent", kFirefox);
    return shared.visitor.send("GET", "/api/pixel.gif" + query, "", "", headers);
  };
  const auto counted =
      pixel("?d=a.de&u=https%3A%2F%2Fa.de%2Fx%3Futm_source%3Dads&r=https%3A%2F%2Fb.de%2F");
  CHECK(counted.status == 200);
  CHECK(counted.header("Content-Type") == "image/gif");
  CHECK(counted.header("Cache-Control") == "no-store");
  CHECK(counted.body.size() == 43);
  CHECK(counted.body.starts_with("GIF89a"));
  pixel("?d=a.de", {{"Referer", "https://a.de/from-referer"}});
  CHECK(shared.daemon.query(
            "SELECT path || ' ' || coalesce(source, '-') FROM event_text ORDER BY path") ==
        "/from-referer -\n/x ads");
  CHECK(pixel("?d=nope.de&u=https://a.de/").header("X-Analytics-Dropped") ==
        "nope.de=unknown_site");
  CHECK(code_of(pixel("?d=a.de")) == "400 invalid_event");
  CHECK(code_of(pixel("?u=https://a.de/")) == "400 invalid_event");
  shared.visitor.send("HEAD", "/api/pixel.gif?d=a.de&u=https://a.de/");
  CHECK(shared.daemon.query("SELECT count(*) FROM events") == "2");
}
