#include <csignal>
#include <fstream>

#include "common/io/fs.h"
#include "tests/support/catch.h"
#include "tests/support/mmdb_writer.h"
#include "tests/support/service.h"

namespace analytics::test::visitor_test {

namespace {

constexpr char kGooglebot[] =
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const Headers kExplain = {{"X-Debug-Request", "true"}};

void write_countries(const std::filesystem::path& file, const char* country) {
  using Members = std::vector<std::pair<std::string, MmdbValue>>;
  const auto fresh = file.string() + ".new";
  write_mmdb(fresh, {{"::1.2.3.0", 120, Members{{"country", Members{{"iso_code", country}}}}}});
  std::filesystem::rename(fresh, file);
}

struct Fixture : Service {
  using Service::Service;
  nlohmann::json explain(const std::string& body, Headers headers,
                         const std::string& with_key = "") {
    headers.push_back(kExplain.front());
    return body_of(Api(daemon, with_key).event(body, headers))["events"][0];
  }
};

}  // namespace

TEST_CASE("visitor: browser, system, device and country are stored and explained",
          "[contract][visitor]") {
  TempFolder folder;
  write_countries(folder / "geo.mmdb", "DE");
  Fixture fixture({.arguments = {"--geoip", (folder / "geo.mmdb").string()}});
  const Headers visitor = {{"User-Agent", kFirefox}, {"X-Forwarded-For", "1.2.3.4"}};
  fixture.visitor.event(pageview("/"), visitor);
  CHECK(
      fixture.daemon.query("SELECT device, browser, browser_version, os, coalesce(os_version, '-'),"
                           " country FROM event_text") == "Desktop|Firefox|131.0|Linux|-|DE");
  const auto shown = fixture.explain(pageview("/"), visitor);
  CHECK(shown["browser"] == "Firefox");
  CHECK(shown["browser_version"] == "131.0");
  CHECK(shown["os"] == "Linux");
  CHECK(shown["os_version"].is_null());
  CHECK(shown["device"] == "Desktop");
  CHECK(shown["country"] == "DE");
  // If the User-Agent does not tell the device, the screen's width does.
  CHECK(fixture.explain(pageview("/", R"(,"w":390)"), {{"User-Agent", "App/1"}})["device"] ==
        "Mobile");
}

TEST_CASE("visitor: bots are dropped with their reason, HTTP libraries are counted",
          "[contract][visitor]") {
  Fixture fixture;
  auto& api = fixture.visitor;
  const auto dropped = [&](const char* agent) {
    return std::string(
        api.event(pageview("/"), {{"User-Agent", agent}}).header("X-Analytics-Dropped"));
  };
  CHECK(dropped(kGooglebot) == "a.de=bot");
  CHECK(dropped("Mozilla/5.0 (X11) HeadlessChrome/120.0.0.0") == "a.de=bot");
  CHECK(dropped(kFirefox).empty());
  CHECK(dropped("curl/8.5.0").empty());
  CHECK(dropped("python-requests/2.31.0").empty());
  CHECK(fixture.explain(pageview("/"), {{"User-Agent", kGooglebot}})["dropped"] == "bot");
  const auto body = body_of(fixture.visitor.event(
      pageview("/"), {{"User-Agent", kGooglebot}, {"X-Debug-Request", "true"}}));
  CHECK(body["bot"].get<std::string>().find("ot") != std::string::npos);
  // An import may keep bots.
  CHECK(fixture.api.event(pageview("/kept", R"(,"keep_bots":true)"), {{"User-Agent", kGooglebot}})
            .header("X-Analytics-Dropped")
            .empty());
  CHECK(fixture.daemon.query("SELECT device FROM event_text WHERE path = '/kept'") == "Bot");
  const auto bulk = body_of(
      fixture.api.bulk(pageview("/b", R"(,"user_agent":"Googlebot/2.1")") + "\n" + pageview("/c")));
  CHECK(bulk["dropped"] == 1);
  CHECK(bulk["accepted"] == 1);
  CHECK(bulk["problems"][0]["code"] == "bot");
  fixture.daemon.stop(SIGTERM);
  CHECK(fixture.daemon.query("SELECT sum(count) FROM ingest_counters WHERE outcome = 4") == "3");
}

TEST_CASE("visitor: values of an import replace the derived ones", "[contract][visitor]") {
  Fixture fixture;
  const auto more =
      R"(,"country":"JP","region":"JP-13","city":"Tokyo","device":"Watch",)"
      R"("browser":"B","browser_version":"1","os":"O","os_version":"2","visitor":"v")";
  auto& api = fixture.api;
  CHECK(api.event(pageview("/", more), {{"User-Agent", kGooglebot}}).status == 202);
  CHECK(fixture.daemon.query("SELECT country, region, city, device, browser, browser_version, os,"
                             " os_version FROM event_text") == "JP|JP-13|Tokyo|Watch|B|1|O|2");
  CHECK(code_of(api.event(pageview("/", R"(,"country":"Japan")"))) == "400 invalid_event");
  const auto ignored = fixture.visitor.event(pageview("/", R"(,"country":"JP")"));
  CHECK(ignored.header("X-Analytics-Ignored") == "country");
}

TEST_CASE("visitor: spam referrers are dropped, and SIGHUP reads the files again",
          "[contract][visitor]") {
  TempFolder folder;
  const auto settings = "spam_referrers = \"" + (folder / "spam.txt").string() + "\"\ngeoip = \"" +
                        (folder / "geo.mmdb").string() + "\"\nuser_agents = \"" +
                        (folder / "absent.yaml").string() + "\"\n";
  std::ofstream(folder / "spam.txt") << "spam.example\n";
  Fixture fixture({.settings = settings});
  auto& api = fixture.visitor;
  const auto send = [&](const std::string& referrer) {
    return std::string(
        api.event(pageview("/", R"(,"r":")" + referrer + "\""), {{"User-Agent", kFirefox}})
            .header("X-Analytics-Dropped"));
  };
  CHECK(send("https://www.spam.example/x") == "a.de=spam_referrer");
  CHECK(send("https://other.example/").empty());
  CHECK(fixture.daemon.query("SELECT coalesce(browser, '-'), coalesce(country, '-')"
                             " FROM event_text") == "-|-");
  std::ofstream(folder / "spam.txt") << "other.example\n";
  write_countries(folder / "geo.mmdb", "SE");
  fixture.write("settings.toml", settings + "trusted_proxies = [\"loopback\"]\n");
  fixture.daemon.signal(SIGHUP);
  const Headers two = {{"X-Forwarded-For", "9.9.9.9, 1.2.3.4"}};
  while (fixture.explain(pageview("/"), two)["country"].is_null()) {
  }
  CHECK(send("https://other.example/") == "a.de=spam_referrer");
  CHECK(send("https://spam.example/").empty());
  // Invalid settings are rejected as a whole.
  fixture.write("settings.toml", settings + "trusted_proxies = [\"nonsense\"]\n");
  fixture.daemon.signal(SIGHUP);
  CHECK(fixture.explain(pageview("/"), two)["country"] == "SE");
  const auto log = fixture.daemon.end();
  CHECK(log.find("reload failed; the settings are unchanged") != std::string::npos);
  CHECK(log.find("absent.yaml") != std::string::npos);
}

TEST_CASE("visitor: visits are visible at once and survive kill -9", "[contract][visitor]") {
  Fixture fixture;
  auto& api = fixture.api;
  const auto send = [&](const std::string& path, const std::string& time,
                        const std::string& more = "") {
    return api.event(pageview(path, R"(,"timestamp":")" + time + "\"" + more),
                     {{"User-Agent", kFirefox}});
  };
  send("/a", "2026-11-20T23:50:00Z");
  send("/c", "2026-11-21T00:40:00Z");
  fixture.daemon.stop(SIGKILL);
  fixture.daemon.start();
  send("/b", "2026-11-21T00:15:00Z");  // joins the two visits across midnight
  CHECK(api.event(R"({"d":"a.de","n":"engagement","u":"https://a.de/c","e":900,)"
                  R"("timestamp":"2026-11-21T01:00:00Z"})",
                  {{"User-Agent", kFirefox}})
            .header("X-Analytics-Dropped")
            .empty());
  CHECK(api.event(R"({"d":"a.de","n":"engagement","u":"https://a.de/c","e":900,)"
                  R"("timestamp":"2026-11-21T09:00:00Z"})",
                  {{"User-Agent", kFirefox}})
            .header("X-Analytics-Dropped") == "a.de=no_visit");
  fixture.daemon.stop(SIGTERM);
  CHECK(fixture.daemon.query(
            "SELECT started, ended, pageviews, events, bounced, entry_page, exit_page,"
            " browser FROM visit_text") ==
        "2026-11-20T23:50:00Z|2026-11-21T00:40:00Z|3|3|0|/a|/c|Firefox");
  CHECK(fixture.daemon.query("SELECT count(*), count(DISTINCT visit) FROM event_text") == "4|1");
}

TEST_CASE("exclusions: excluded addresses and pages and foreign hosts are not counted",
          "[contract][visitor]") {
  Fixture fixture({.settings = "trusted_proxies = [\"loopback\"]\n"});
  auto& keyed = fixture.api;
  auto& api = fixture.visitor;
  const std::string path = "/api/v1/sites/a.de/exclusions";
  const auto add = [&](const std::string& form) { return keyed.form("PUT", path, form); };
  const auto made = add("type=address&value=192.0.2.0%2F24");
  CHECK(made.status == 200);
  CHECK(made.header("X-Analytics-Outcome") == "created");
  CHECK(add("type=address&value=192.0.2.0%2F24").header("X-Analytics-Outcome") == "unchanged");
  CHECK(body_of(add("type=address&value=192.0.2.0%2F24"))["id"] == body_of(made)["id"]);
  CHECK(add("type=page&value=internal%2F**").status == 200);
  CHECK(code_of(add("type=address&value=nonsense")) == "400 invalid_parameter");
  for (const auto* bad :
       {"0.0.0.0%2F0", "::%2F0", "1.2.3.4:80", "%221.2.3.4%22", "::ffff:1.2.3.4%2F24"}) {
    CHECK(code_of(add(std::string("type=address&value=") + bad)) == "400 invalid_parameter");
  }
  CHECK(code_of(add("type=page&value=/x?y=1")) == "400 invalid_parameter");
  CHECK(code_of(add("type=hostname&value=a.de%23x")) == "400 invalid_parameter");
  CHECK(code_of(add("type=colour&value=red")) == "400 invalid_parameter");
  CHECK(code_of(add("type=page")) == "400 missing_parameter");
  const auto dropped = [&](const std::string& url, const std::string& address) {
    return std::string(api.event(R"({"d":"a.de","n":"pageview","u":")" + url + "\"}",
                                 {{"User-Agent", kFirefox}, {"X-Forwarded-For", address}})
                           .header("X-Analytics-Dropped"));
  };
  CHECK(dropped("https://a.de/", "192.0.2.77") == "a.de=excluded");
  CHECK(dropped("https://a.de/internal/x/y", "198.51.100.1") == "a.de=excluded");
  CHECK(dropped("https://a.de/", "198.51.100.1").empty());
  CHECK(dropped("https://staging.a.de/", "198.51.100.1").empty());
  CHECK(add("type=hostname&value=WWW.a.de").status == 200);
  CHECK(dropped("https://staging.a.de/", "198.51.100.1") == "a.de=excluded");
  CHECK(dropped("https://www.a.de/", "198.51.100.1").empty());
  const auto list = body_of(keyed.send("GET", path))["exclusions"];
  REQUIRE(list.size() == 3);
  CHECK(list[2]["value"] == "a.de");
  CHECK(list[2]["type"] == "hostname");
  const auto gone = path + "/" + list[2]["id"].get<std::string>();
  CHECK(body_of(keyed.send("DELETE", gone))["deleted"] == "true");
  CHECK(code_of(keyed.send("DELETE", gone)) == "404 exclusion_not_found");
  CHECK(dropped("https://staging.a.de/", "198.51.100.1").empty());
  // One limit applies to all patterns of a site; pages without * are not patterns.
  const std::string most(490, 'p');
  for (int i = 0; i < 8; ++i) {
    CHECK(add("type=page&value=/" + std::to_string(i) + "*" + most).status == 200);
  }
  CHECK(code_of(add("type=page&value=/8*" + most)) == "400 limit_reached");
  CHECK(add("type=page&value=/7*" + most).status == 200);  // exists already
  CHECK(add("type=page&value=/8" + most).status == 200);
  // The command line changes the same exclusions.
  CHECK(fixture.run_command({"sites", "exclude", "add", "a.de", "--page", "/x"}).exit == 0);
  const auto shown = fixture.run_command({"sites", "exclude", "list", "a.de"});
  CHECK(shown.out.find("\tpage\t/x\n") != std::string::npos);
  const auto id = shown.out.substr(shown.out.rfind('\n', shown.out.find("\tpage\t/x")) + 1, 1);
  CHECK(fixture.run_command({"sites", "exclude", "remove", "a.de", id}).exit == 0);
  CHECK(fixture.run_command({"sites", "exclude", "remove", "a.de", id}).exit == 5);
  CHECK(fixture.run_command({"sites", "exclude", "remove", "a.de", id, "--if-exists"}).exit == 0);
  CHECK(fixture.run_command({"sites", "exclude", "add", "a.de"}).exit == 2);
}

TEST_CASE("exclusions: a forged X-Forwarded-For does not reveal excluded addresses",
          "[contract][visitor]") {
  Fixture fixture;
  fixture.api.form("PUT", "/api/v1/sites/a.de/exclusions", "type=address&value=192.0.2.0%2F24");
  const Headers headers = {{"User-Agent", kFirefox}, {"X-Forwarded-For", "192.0.2.7"}};
  CHECK(fixture.visitor.event(pageview("/"), headers).header("X-Analytics-Dropped").empty());
  CHECK(fixture.explain(pageview("/"), headers)["dropped"].is_null());
  // The peer's own address cannot be forged, but only the owner's key learns the reason.
  fixture.api.form("PUT", "/api/v1/sites/a.de/exclusions", "type=address&value=127.0.0.1");
  CHECK(fixture.explain(pageview("/"), {{"User-Agent", kFirefox}})["dropped"].is_null());
  CHECK(fixture.explain(pageview("/"), {{"User-Agent", kFirefox}}, fixture.key)["dropped"] ==
        "excluded");
}

TEST_CASE("visitor: X-Debug-Request names every reason of a drop", "[contract][visitor]") {
  Fixture fixture({.settings = "max_events_per_minute = 1\n"});
  auto& api = fixture.visitor;
  const Headers visitor = {{"User-Agent", kFirefox}};
  const auto dropped = [&](const std::string& body, Headers headers = {}) {
    headers.emplace_back("User-Agent", kFirefox);
    return fixture.explain(body, headers)["dropped"];
  };
  const std::string stay = R"({"d":"a.de","n":"engagement","u":"https://a.de/","e":900})";
  CHECK(dropped(stay) == "no_visit");
  CHECK(dropped(pageview("/")).is_null());
  Headers once = visitor;
  once.emplace_back("Idempotency-Key", "k");
  while (!api.event(pageview("/"), once).header("X-Analytics-Dropped").empty()) {
    REQUIRE(false);
  }
  CHECK(dropped(pageview("/"), {{"Idempotency-Key", "k"}}) == "duplicate");
  // The requests are repeated, because the minute of the limit may end once during the test.
  bool was_throttled = false;
  for (int i = 0; i < 3 && !was_throttled; ++i) {
    api.event(pageview("/" + std::to_string(i)), visitor);
    was_throttled = dropped(pageview("/")) == "throttled";
  }
  CHECK(was_throttled);
  CHECK(dropped(R"({"d":"b.de","n":"x","u":"https://b.de/"})") == "unknown_site");
  CHECK(fixture.daemon.query("SELECT count(*) FROM events WHERE name IN (SELECT id FROM strings"
                             " WHERE value = 'engagement')") == "0");
}

TEST_CASE("visitor: pages without a host count, and blank properties are left out",
          "[contract][visitor]") {
  Fixture fixture;
  const auto page_of = [&](const std::string& url) {
    const auto shown = fixture.explain(
        R"({"d":"a.de","n":"pageview","u":")" + url + R"(","p":{"a":"  ","b":"x"}})",
        {{"User-Agent", kFirefox}});
    CHECK(shown["props"].dump() == R"({"b":"x"})");
    return shown["hostname"].get<std::string>() + " " + shown["page"].get<std::string>();
  };
  CHECK(page_of("file:///android_asset/index.html?x=1") == "(none) /android_asset/index.html");
  CHECK(page_of("/only/path?utm_source=x") == "(none) /only/path");
  CHECK(page_of("app:///home") == "(none) /home");
  CHECK(page_of("app://host/screen") == "host /screen");
  auto& api = fixture.visitor;
  for (const std::string bad : {"about:config", "//host/x", "data:///x", "javascript://a/x", "x"}) {
    CHECK(code_of(api.event(R"({"d":"a.de","n":"pageview","u":")" + bad + "\"}")) ==
          "400 invalid_event");
  }
}

TEST_CASE("exclusions: hosts and pages match in any spelling", "[contract][visitor]") {
  Fixture fixture;
  auto& keyed = fixture.api;
  const std::string path = "/api/v1/sites/a.de/exclusions";
  CHECK(keyed.form("PUT", path, "type=hostname&value=m%C3%BCnchen.de").status == 200);
  CHECK(keyed.form("PUT", path, "type=page&value=/%25C3%25B6").status == 200);
  const auto dropped = [&](const std::string& url) {
    return fixture.explain(R"({"d":"a.de","n":"pageview","u":")" + url + "\"}", {})["dropped"];
  };
  CHECK(dropped("https://xn--mnchen-3ya.de/").is_null());
  CHECK(dropped("https://www.M\u00dcNCHEN.de./").is_null());
  CHECK(dropped("https://xn--mnchen-3ya.de/%C3%B6") == "excluded");
  CHECK(dropped("https://other.de/") == "excluded");
}

TEST_CASE("visitor: the importing client's own browser is not stored with its lines",
          "[contract][visitor]") {
  Fixture fixture;
  auto& api = fixture.api;
  const auto body = pageview("/a") + "\n" + pageview("/b", R"(,"visit":"v1","country":"FR")") +
                    "\n" + pageview("/c", R"(,"visit":"v2")");
  const auto reply = api.bulk(body, {{"User-Agent", "Googlebot/2.1 (importer)"}});
  CHECK(body_of(reply)["accepted"] == 3);
  CHECK(fixture.daemon.query("SELECT count(*) FROM event_text WHERE path != '/a' AND"
                             " (device IS NOT NULL OR browser IS NOT NULL)") == "0");
  CHECK(fixture.daemon.query("SELECT count(DISTINCT visitor) FROM events") == "3");
}

TEST_CASE("throttle: events over a site's limit are dropped with the reason, imports are not",
          "[contract][visitor]") {
  Fixture fixture({.settings = "max_events_per_minute = 5\n"});
  auto& api = fixture.visitor;
  const auto minute = [] {
    return std::chrono::floor<std::chrono::minutes>(std::chrono::system_clock::now());
  };
  const auto first = minute();
  int stored = 0;
  const auto dropped = [&](const Headers& headers) {
    const std::string reason(api.event(pageview("/"), headers).header("X-Analytics-Dropped"));
    stored += reason.empty() ? 1 : 0;
    return reason;
  };
  for (int i = 0; i < 40; ++i) {
    const auto reason = dropped({{"User-Agent", kFirefox}});
    CHECK((reason.empty() || reason == "a.de=throttled"));
  }
  CHECK(stored >= 5);
  CHECK(stored <= 5 * ((minute() - first).count() + 1));
  // A repeated event is a duplicate, even if the site has reached its limit.
  const Headers once = {{"User-Agent", kFirefox}, {"Idempotency-Key", "k"}};
  bool is_stored = false;
  for (int i = 0; i < 3; ++i) {
    const auto reason = dropped(once);
    CHECK(reason == (is_stored ? "a.de=duplicate" : reason.empty() ? "" : "a.de=throttled"));
    is_stored = is_stored || reason.empty();
  }
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == std::to_string(stored));
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += pageview("/bulk") + "\n";
  const auto bulk = fixture.api.bulk(lines);
  CHECK(body_of(bulk)["accepted"] == 20);
}

}  // namespace analytics::test::visitor_test
