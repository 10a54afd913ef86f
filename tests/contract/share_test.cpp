// The public parts: shared pages, the tracker, the pixel. tests/browser runs them in a browser.
#include "tests/contract/share_fixture.h"
#include "tests/support/eventually.h"

namespace analytics::test::share_test {

TEST_CASE("share: the page has the numbers of its period and of the previous one",
          "[contract][share]") {
  Shared shared("Europe/Berlin");
  CHECK(shared.url == shared.daemon.url() + "/share/a.de?auth=" + shared.token);
  shared.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:02:05", "/b"}}, "https://google.com/");
  shared.visit("2.2.2.2", {{"10:00:00", "/<script>"}});
  const auto page = shared.get(kDay);
  CHECK(page.status == 200);
  CHECK(has(page, "Visitors</span> <strong>2</strong>"));
  CHECK(has(page, "Views per visit</span> <strong>1.5</strong>"));
  CHECK(has(page, "Bounce rate</span> <strong>50%</strong>"));
  CHECK(has(page, "Visit duration</span> <strong>1m 2s</strong>"));
  CHECK(has(page, "20 Nov 2026, Europe/Berlin"));
  CHECK(has(page, "<title>11:00: 2</title>"));
  CHECK(has(page, "/&lt;script&gt;"));
  CHECK(!has(page, "<script>"));
  CHECK(has(page, "Google"));
  CHECK(has(page, "Firefox") == false);
  CHECK(has(shared.get(std::string(kDay) + "&devices=browser"), "Firefox"));
  CHECK(has(shared.get("&from=2026-11-21&to=2026-11-21"),
            "<strong>0</strong> <span class=\"worse\">−100%"));
  // The chart also shows the previous period, with its two visitors.
  const auto next = shared.get("&from=2026-11-21&to=2026-11-21");
  CHECK(has(next, "<title>11:00: 0 · 20 Nov, 11:00: 2 · −100%</title>"));
  CHECK(has(next, "<polyline class=\"before\""));
  CHECK(has(next, "<td>0</td><td>2</td><td>−100%</td>"));
  CHECK(has(next, "y=\"0%\" dy=\".35em\">2</text>"));
  CHECK(has(next, "y=\"50%\" dy=\".35em\">1</text>"));
  CHECK(!has(page, "<polyline"));
  CHECK(has(shared.get("&period=day"), "class=\"now running\""));
  CHECK(page.header("Cache-Control") == "no-store");
  CHECK(page.header("X-Robots-Tag") == "noindex");
  CHECK(page.header("Referrer-Policy") == "no-referrer");
  CHECK(page.header("Content-Security-Policy").find("default-src 'none'; script-src 'self'") == 0);
}

TEST_CASE("share: the URL selects filters, panels and days", "[contract][share]") {
  Shared shared;
  shared.goal("goal_type=event&event_name=Signup");
  shared.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:02:00", "/b"}}, "https://google.com/");
  shared.visit("2.2.2.2", {{"10:00:00", "/"}});
  shared.event("2.2.2.2", "Signup", "10:01:00", R"("props":{"plan":"pro"},)");
  const auto filtered =
      shared.get(kDay + ("&filters=" + percent_encode(R"([["is","visit:source",["Google"]]])")));
  CHECK(has(filtered, "Visitors</span> <strong>1</strong>"));
  CHECK(has(filtered, "source is Google"));
  const auto page = shared.get(kDay);
  CHECK(has(page, "<bdi>Signup</bdi></a></th><td>1</td><td>1</td><td>50%</td>"));
  CHECK(has(page, "<bdi>pro</bdi></a></th><td>1</td><td>1</td><td>50.0%</td>"));
  for (const auto* wrong : {"&period=x", "&from=x&to=y", "&metric=x", "&pages=x", "&props=x",
                            "&more=x", "&from=0001-01-01&to=9999-12-31"}) {
    CHECK(shared.get(wrong).status == 200);
  }
  // With a filter by goal, the numbers are those of conversions, and each panel has a rate.
  shared.event("1.1.1.1", "Signup", "10:03:00", R"("revenue":{"amount":"9.90","currency":"EUR"},)");
  shared.event("3.3.3.3", "pageview", "10:00:00", R"("country":"KR",)");
  const auto converted =
      shared.get(kDay + ("&filters=" + percent_encode(R"([["is","event:goal",["Signup"]]])")));
  CHECK(has(converted, "Converted</span> <strong>2</strong>"));
  CHECK(has(converted, "Conversions</span> <strong>2</strong>"));
  CHECK(has(converted, "Rate</span> <strong>66.67%</strong>"));
  CHECK(has(converted, "Revenue</span> <strong>€9.90</strong>"));
  CHECK(!has(converted, "Pageviews</span>"));
  CHECK(has(converted, "<bdi>Google</bdi></a></th><td>1</td><td>100%</td>"));
  CHECK(has(converted, "<bdi>Direct / None</bdi></a></th><td>1</td><td>50%</td>"));
  CHECK(has(converted, "<bdi>pro</bdi></a></th><td>1</td><td>1</td><td>33.33%</td>"));
  CHECK(has(shared.get(kDay), "<td>2</td><td>2</td><td>66.67%</td><td>€9.90</td>"));
  CHECK(has(shared.get(kDay), "<bdi>South Korea</bdi>"));
  CHECK(has(shared.get(kDay + ("&filters=" + percent_encode(R"([["is","visit:country",["KR"]]])"))),
            "country is South Korea"));
  // With broken filters the page shows no numbers, because unfiltered ones would mislead.
  for (const auto* filters :
       {"&filters=%5B", "&filters=x",
        "&filters=%5B%5B%22is%22%2C%22event%3Agoal%22%2C%5B%22Gone%22%5D%5D%5D"}) {
    const auto broken = shared.get(std::string(kDay) + filters);
    CHECK(broken.status == 200);
    CHECK(has(broken, "The filters are not valid"));
    CHECK(!has(broken, "Visitors</span>"));
    CHECK(!has(broken, "#/filters"));  // the JSON pointer is for programs
    CHECK(shared.get(std::string(kDay) + filters, "/csv").status == 400);
  }
  CHECK(!has(shared.get("&junk=xyzzy"), "xyzzy"));
  const auto versions = shared.get(std::string(kDay) + "&devices=browser_version");
  CHECK(has(versions, percent_encode(R"(["is","visit:browser",["Firefox"]])")));
  for (const auto* period : {"day", "7d", "30d", "month", "6mo", "12mo", "year", "all"}) {
    CHECK(has(shared.get(std::string("&period=") + period), "aria-current=\"true\""));
  }
}

TEST_CASE("share: every panel can be downloaded as CSV without spreadsheet formulas",
          "[contract][share]") {
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
  CHECK(csv("&panel=props").body.find("'@x,1,1,100\r\n") != std::string::npos);
  CHECK(csv("").body.starts_with(
      "time,visitors,visits,pageviews,views_per_visit,bounce_rate,visit_duration\r\n"
      "2026-11-20 00:00:00,0,0,0,0,0,\r\n"));
  CHECK(csv("").body.find("2026-11-20 10:00:00,1,1,1,1,100,0\r\n") != std::string::npos);
  CHECK(csv("&panel=sources").header("Content-Disposition") ==
        "attachment; filename=\"a.de-sources-2026-11-20-2026-11-20.csv\"");
  CHECK(csv("&panel=%22x").status == 404);
}

TEST_CASE("share: without a link, a visitor cannot learn whether a site exists",
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
  CHECK(shared.get().status == 200);  // the old name works for a while
  shared.api.send("DELETE", "/api/v1/sites/shared-links?site_id=b.de&name=x");
  CHECK(shared.get().status == 404);
}

TEST_CASE("share: the page shows current visitors, and its files can be cached",
          "[contract][share]") {
  Shared shared;
  shared.api.event(pageview(), {{"User-Agent", kFirefox}});
  CHECK(shared.get("", "/current").body == "1");
  CHECK(has(shared.get(), "<span id=\"current\">1</span>"));
  // The site's first event was today.
  CHECK(has(shared.get(), "aria-current=\"true\" aria-keyshortcuts=\"d\">Today<"));
  CHECK(has(shared.get(), "Visitors</span> <strong>1</strong>"));
  for (const auto* file : {"/assets/share.css", "/assets/share.js", "/assets/map.svg",
                           "/js/script.js", "/api/openapi.json"}) {
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
            .body.size() <= 2'500);
}

TEST_CASE("share: a panel shows all its rows, a hundred at a time, or those searched for",
          "[contract][share]") {
  Shared shared;
  std::string lines;
  for (int i = 0; i < 250; ++i) {
    lines +=
        R"({"domain":"a.de","name":"pageview","timestamp":"2026-11-20T10:00:00Z","url":"https://a.de/p)" +
        std::to_string(i) + R"(","visitor":"v)" + std::to_string(i % 50) + R"(","country":")" +
        (i % 2 == 0 ? "DE" : "FR") + "\"}\n";
  }
  lines += R"({"domain":"a.de","name":"engagement","timestamp":"2026-11-20T10:01:00Z",)"
           R"("url":"https://a.de/p0","visitor":"v0","e":30000,"sd":80})"
           "\n";
  REQUIRE(body_of(shared.api.bulk(lines))["accepted"] == 251);
  const auto few = shared.get(kDay);
  CHECK(has(few, ">All 250 rows<span"));
  CHECK(!has(few, "Scroll depth"));
  const auto first = shared.get(std::string(kDay) + "&more=pages");
  CHECK(has(first, "<section id=\"pages\" class=\"whole\">"));
  CHECK(has(first, "<span>1 to 100 of 250</span>"));
  CHECK(has(first, "page=2\">Next →</a>"));
  CHECK(!has(first, "← Before"));
  CHECK(has(first, ">Time on page</th>"));
  const auto last = shared.get(std::string(kDay) + "&more=pages&page=3");
  CHECK(has(last, "<span>201 to 250 of 250</span>"));
  CHECK(has(last, "page=2\">← Before</a>"));
  CHECK(!has(last, "Next →"));
  CHECK(has(shared.get(std::string(kDay) + "&more=pages&page=9"), "First rows"));
  CHECK(has(shared.get(std::string(kDay) + "&more=pages&page=nonsense"), "1 to 100 of 250"));
  const auto found = shared.get(std::string(kDay) + "&more=pages&search=P24");
  CHECK(has(found, "<span>1 to 11 of 11</span>"));  // p24, p240 to p249
  CHECK(has(found, "<td>1</td><td>2.0%</td>"));     // percentage of all visitors
  CHECK(!has(found, ">/p1</bdi>"));
  const auto read = shared.get(std::string(kDay) + "&more=pages&search=%2Fp0");
  CHECK(has(read, "<td>30s</td><td>80%</td>"));
  // Places are found by their displayed names.
  const auto places = shared.get(std::string(kDay) + "&more=places&search=germ");
  CHECK(has(places, "<span>1 to 1 of 1</span>"));
  CHECK(has(shared.get(std::string(kDay) + "&more=places&search=DE"), "contains that"));
  const auto hostile = shared.get(std::string(kDay) + "&more=pages&search=%22%3E%3Cscript%3E");
  CHECK(hostile.status == 200);
  CHECK(!has(hostile, "<script>"));
  // Choosing another panel or period ends the search.
  CHECK(!has(found, "search=P24&amp;period"));
  // The CSV file has all rows.
  const auto csv =
      shared.visitor.send("GET", shared.path + "/csv?auth=" + shared.token + kDay + "&panel=pages");
  CHECK(std::count(csv.body.begin(), csv.body.end(), '\n') == 251);
}

TEST_CASE("share: the page of a site without events explains the setup and the drops",
          "[contract][share]") {
  Shared shared;
  shared.api.event(pageview(), {{"User-Agent", "Googlebot/2.1"}});
  CHECK(
      eventually([&] { return shared.get().body.find("A robot sent it.") != std::string::npos; }));
  const auto empty = shared.get();
  CHECK(has(empty, "No event has come yet"));
  CHECK(has(empty, "&lt;script defer data-domain=&quot;a.de&quot; src=&quot;" +
                       shared.daemon.url() + "/js/script.js&quot;&gt;"));
  CHECK(has(empty, "data-refresh"));
  CHECK(!has(empty, "<svg"));
  CHECK(empty.body.ends_with("</html>\n"));
  shared.api.event(pageview(), {{"User-Agent", kFirefox}});
  CHECK(eventually([&] { return shared.get().body.find("class=\"tiles\"") != std::string::npos; }));
}

TEST_CASE("share: the realtime period shows the last 30 minutes by minute", "[contract][share]") {
  Shared shared;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  for (const auto& [address, minutes] :
       {std::pair("1.1.1.1", 0), {"2.2.2.2", 20}, {"3.3.3.3", 40}}) {
    const auto at = now - std::chrono::minutes(minutes);
    REQUIRE(shared.api
                .event(pageview("/m" + std::to_string(minutes),
                                R"(,"timestamp":)" + std::to_string(at.time_since_epoch().count())),
                       {{"User-Agent", kFirefox}, {"X-Forwarded-For", address}})
                .status == 202);
  }
  const auto page = shared.get("&period=realtime");
  CHECK(has(page, "The last 30 minutes, Etc/UTC"));
  CHECK(has(page, "Visitors</span> <strong>2</strong>"));
  CHECK(has(page, "/m20</bdi>"));
  CHECK(!has(page, "/m40</bdi>"));
  CHECK(has(page, "data-refresh=\"15\""));
  CHECK(!has(page, "compared with"));
  const auto& html = page.body;
  std::size_t bars = 0;
  for (auto at = html.find("class=\"hit\""); at != html.npos;
       at = html.find("class=\"hit\"", at + 1))
    ++bars;
  CHECK(bars == 30);
  CHECK(shared.visitor.send("GET", shared.path + "/csv?auth=" + shared.token + "&period=realtime")
            .status == 200);
}

TEST_CASE("share: the chart's interval and its comparison can be chosen", "[contract][share]") {
  Shared shared;
  shared.visit("1.1.1.1", {{"10:00:00", "/"}});  // on the 20th
  const std::string days = "&from=2026-11-19&to=2026-11-25";
  CHECK(has(shared.get(days), "<title>Fri 20 Nov: 1"));
  CHECK(has(shared.get(days + "&interval=hour"), "10:00: 1</title>"));
  CHECK(!has(shared.get(days), "interval=month"));  // would be a single bar
  CHECK(has(shared.get(days + "&interval=month"), "<title>Fri 20 Nov: 1"));
  const std::string after = "&from=2026-11-27&to=2026-11-27";
  CHECK(!has(shared.get(after), "class=\"before\""));
  const auto own =
      shared.get(after + "&compare=days&compare_from=2026-11-20&compare_to=2026-11-20");
  CHECK(has(own, "20 Nov, 10:00: 1"));
  CHECK(has(own, "compared with 20 Nov 2026 – 20 Nov 2026"));
  shared.api.event(pageview("/", R"(,"timestamp":"2025-11-20T10:00:00Z")"),
                   {{"User-Agent", kFirefox}});
  const auto with_year = std::string(kDay) + "&compare=year";
  CHECK(has(shared.get(with_year), "compared with the year before"));
  CHECK(has(shared.get(with_year), "20 Nov, 10:00: 1 · "));
  // The 20th is a Friday. The matching Friday of 2025 is the 21st, which has no visitors.
  CHECK(!has(shared.get(with_year + "&match=weekday"), "compared with the year before"));
  CHECK(!has(shared.get(std::string(kDay) + "&compare=none"), "compared with"));
  const auto wrong = shared.get(after + "&compare=days&compare_from=x&compare_to=2026-11-20");
  CHECK(wrong.status == 200);
}

TEST_CASE("share: a range that ends before it begins is reported", "[contract][share]") {
  Shared shared;
  const std::string problem = "19 Nov 2026 is before 21 Nov 2026.";
  for (const std::string reversed : {"&from=2026-11-21&to=2026-11-19",
                                     "&from=2026-11-21&to=2026-11-21&compare=days&compare_from="
                                     "2026-11-21&compare_to=2026-11-19"}) {
    CHECK(has(shared.get(reversed), problem));
  }
}

TEST_CASE("share: a bar of the chart links to its days", "[contract][share]") {
  Shared shared;
  shared.visit("1.1.1.1", {{"10:00:00", "/"}});
  const auto opens = [&](const std::string& days, const std::string& from, const std::string& to) {
    const auto page = shared.get("&interval=week" + days);
    return has(page, "&amp;from=" + from + "&amp;to=" + to + "\" tabindex=\"-1\"><g>") &&
           has(page,
               "&amp;from=" + from + "&amp;to=" + to + "\">");  // the same link in the table
  };
  // Weeks begin on Monday the 16th. The first and last week are limited to the days shown.
  const std::string weeks = "&from=2026-11-13&to=2026-11-26";
  CHECK(opens(weeks, "2026-11-13", "2026-11-15"));
  CHECK(opens(weeks, "2026-11-16", "2026-11-22"));
  CHECK(opens(weeks, "2026-11-23", "2026-11-26"));
  CHECK(opens("&interval=day&from=2026-11-19&to=2026-11-21", "2026-11-20", "2026-11-20"));
  CHECK_FALSE(has(shared.get(kDay), "tabindex=\"-1\"><g>"));  // hours have no link
}

TEST_CASE("tracker: it is served under every name of Plausible's snippets and no other",
          "[contract][share]") {
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

TEST_CASE("pixel: it counts a pageview for pages without scripts", "[contract][pixel]") {
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

}  // namespace analytics::test::share_test
