// Attributes of visits besides their source: screen, language, and the hostnames of their pages.
#include "tests/contract/stats_fixture.h"

namespace analytics::test::visit_attributes_test {

namespace {

/// Sends a visitor's pageview; `more` has further JSON members, each with its comma.
void visit(Api& visitor, const std::string& agent, const std::string& more,
           const Headers& headers = {}) {
  auto all = headers;
  all.emplace_back("User-Agent", agent);
  const auto reply = visitor.event(pageview("/", more), all);
  REQUIRE(reply.status == 202);
  REQUIRE(reply.header("X-Analytics-Dropped").empty());
}

std::string agent(int number) { return std::string(kFirefox) + " Test/" + std::to_string(number); }

}  // namespace

TEST_CASE("screen: the width that a tracker sends determines the class", "[contract][stats]") {
  StatsFixture fixture;
  auto& visitor = fixture.visitor;
  int number = 0;
  for (const auto* width : {"1", "575", "576", "991", "992", "1439", "1440", "100000", "0", "-5"}) {
    visit(visitor, agent(++number), R"(,"w":)" + std::string(width));
  }
  visit(visitor, agent(++number), "");
  const auto rows = [&](const std::string& filters) {
    const auto reply = fixture.query(nlohmann::json::parse(
        R"({"site_id":"a.de","date_range":"all","metrics":["visitors"],)"
        R"("dimensions":["visit:screen"],"order_by":[["visit:screen","asc"]],"filters":)" +
        filters + "}"));
    REQUIRE(reply.status == 200);
    return body_of(reply)["results"].dump();
  };
  CHECK(rows("[]") == R"x([{"dimensions":["(not set)"],"metrics":[3]},)x"
                      R"({"dimensions":["Desktop"],"metrics":[2]},)"
                      R"({"dimensions":["Laptop"],"metrics":[2]},)"
                      R"({"dimensions":["Mobile"],"metrics":[2]},)"
                      R"({"dimensions":["Tablet"],"metrics":[2]}])");
  CHECK(rows(R"x([["is_not","visit:screen",["Desktop","(not set)","Mobile"]]])x") ==
        R"([{"dimensions":["Laptop"],"metrics":[2]},{"dimensions":["Tablet"],"metrics":[2]}])");
  CHECK(
      fixture.daemon.query("SELECT DISTINCT screen FROM visit_text WHERE screen > '' ORDER BY 1") ==
      "Desktop\nLaptop\nMobile\nTablet");
}

TEST_CASE("language: it is stored only if the site asks for it, and only for visitors",
          "[contract][stats]") {
  StatsFixture fixture;
  auto& visitor = fixture.visitor;
  const auto languages = [&] {
    return fixture.daemon.query("SELECT coalesce(language, '-') FROM event_text ORDER BY rowid");
  };
  const Headers german{{"Accept-Language", "de-AT,de;q=0.9,en;q=0.5"}};
  visit(visitor, agent(1), "", german);
  CHECK(languages() == "-");
  const auto put = [&](const std::string& form) {
    return fixture.api.form("PUT", "/api/v1/sites/a.de", form);
  };
  CHECK(code_of(put("languages=perhaps")) == "400 invalid_parameter");
  CHECK(put("languages=true").header("X-Analytics-Outcome") == "updated");
  CHECK(put("languages=true").header("X-Analytics-Outcome") == "unchanged");
  CHECK(body_of(fixture.api.send("GET", "/api/v1/sites/a.de"))["languages"] == true);
  visit(visitor, agent(2), "", german);
  visit(visitor, agent(3), "", {{"Accept-Language", " FIL ;q=1"}});
  visit(visitor, agent(4), "", {{"Accept-Language", "xx-klingon"}});
  visit(visitor, agent(5), "", {{"Accept-Language", "*"}});
  visit(visitor, agent(6), R"(,"language":"fr")", german);  // only imports may set the language
  // In an import, Accept-Language is that of the importing client and is ignored.
  visit(fixture.api, agent(7), "", german);
  CHECK(languages() == "-\nde\nfil\n-\n-\nde\n-");
  const auto reply = fixture.query(nlohmann::json::parse(
      R"({"site_id":"a.de","date_range":"all","metrics":["visitors"],)"
      R"("dimensions":["visit:language"],"filters":[["is","visit:language",["de","fil"]]]})"));
  CHECK(body_of(reply)["results"].dump() == R"([{"dimensions":["de"],"metrics":[2]},)"
                                            R"({"dimensions":["fil"],"metrics":[1]}])");
  put("languages=false");
  visit(visitor, agent(8), "", german);
  CHECK(languages().ends_with("\n-"));
}

TEST_CASE("language: it does not distinguish visitors", "[contract]") {
  StatsFixture fixture;
  auto& visitor = fixture.visitor;
  fixture.api.form("PUT", "/api/v1/sites/a.de", "languages=true");
  visit(visitor, agent(1), R"(,"w":300)", {{"Accept-Language", "de"}});
  visit(visitor, agent(1), R"(,"w":1900)", {{"Accept-Language", "fr"}});
  CHECK(fixture.daemon.query("SELECT count(DISTINCT visitor) FROM events") == "1");
  // A visit has the screen and language of its first event.
  const auto reply = fixture.query(
      nlohmann::json::parse(R"({"site_id":"a.de","date_range":"all","metrics":["pageviews"],)"
                            R"("dimensions":["visit:screen","visit:language"]})"));
  CHECK(body_of(reply)["results"].dump() == R"([{"dimensions":["Mobile","de"],"metrics":[2]}])");
}

TEST_CASE("screen and language: they are imported as given, and exported", "[contract]") {
  StatsFixture fixture;
  fixture.event("1.1.1.1", "pageview", "10:00:00",
                R"("screen":"Laptop","language":"pt-BR","w":300,)");
  const auto send = [&](const std::string& more) {
    return fixture.api.event("{" + more +
                                 R"("d":"a.de","n":"pageview","u":"https://a.de/",)"
                                 R"("timestamp":"2026-11-20T10:00:00Z","ip":"1.1.1.2"})",
                             {{"User-Agent", kFirefox}});
  };
  CHECK(code_of(send(R"("screen":"Wide",)")) == "400 invalid_event");
  CHECK(code_of(send(R"("screen":3,)")) == "400 invalid_event");
  CHECK(code_of(send(R"("language":"german",)")) == "400 invalid_event");
  CHECK(send(R"("language":"tlh",)").status == 202);  // Klingon is not in the list of languages
  const auto exported = fixture.api.send("GET", "/api/v1/sites/a.de/events").body;
  CHECK(exported.find(R"("screen":"Laptop","language":"pt")") != std::string::npos);
  CHECK(exported.find("tlh") == std::string::npos);
}

TEST_CASE("hostnames of visits: a visit has the hostnames of its first and last pages",
          "[contract][stats]") {
  StatsFixture fixture;
  const auto view = [&](const std::string& ip, const std::string& url, const std::string& minute,
                        const std::string& referrer = "") {
    const auto reply = fixture.api.event(
        R"({"d":"a.de","n":"pageview","u":")" + url + R"(","r":")" + referrer +
            R"(","timestamp":"2026-11-20T10:)" + minute + R"(:00Z","ip":")" + ip + "\"}",
        {{"User-Agent", kFirefox}});
    REQUIRE(reply.status == 202);
  };
  view("1.1.1.1", "https://a.de/", "00", "https://www.google.com/");
  view("1.1.1.1", "https://shop.a.de/cart", "01");
  view("1.1.1.2", "https://shop.a.de/", "02", "https://news.ycombinator.com/");
  fixture.event("1.1.1.3", "Signup", "10:03:00");  // a visit without pages
  CHECK(fixture.v2(R"(["visits"])", R"("dimensions":["visit:entry_page_hostname"])") ==
        R"x(["(not set)"][1] ["a.de"][1] ["shop.a.de"][1])x");
  CHECK(fixture.v2(R"(["visits"])", R"("dimensions":["visit:exit_page_hostname"])") ==
        R"x(["shop.a.de"][2] ["(not set)"][1])x");
  const std::string of_shop = R"("filters":[["is","event:hostname",["shop.a.de"]]])";
  CHECK(fixture.v2(R"(["visitors"])", of_shop) == "[][2]");
  // The visitor from Google counts, although that visit began on another hostname.
  CHECK(fixture.v2(R"(["visitors"])", R"("dimensions":["visit:source"],)" + of_shop) ==
        R"(["Google"][1] ["Hacker News"][1])");
  CHECK(fixture.v2(R"(["visitors"])", R"("dimensions":["visit:exit_page"],)" + of_shop) ==
        R"(["/"][1] ["/cart"][1])");
  CHECK(fixture.v2(R"(["visitors"])", R"("dimensions":["visit:browser"],)" + of_shop) ==
        R"(["Firefox"][2])");
  CHECK(fixture.v1("breakdown", "property=visit:entry_page&filters=event:hostname==shop.a.de") ==
        R"([{"entry_page":"/","visitors":2}])");
  CHECK(fixture.daemon.query("SELECT entry_page_hostname, exit_page_hostname FROM visit_text"
                             " WHERE pageviews = 2") == "a.de|shop.a.de");
}

}  // namespace analytics::test::visit_attributes_test
