#include <csignal>
#include <fstream>

#include "common/io/fs.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/mmdb_writer.h"
#include "tests/support/programs.h"

namespace analytics::test::visitor_test {

namespace {

constexpr char kFirefox[] =
    "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";
constexpr char kGooglebot[] =
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const Headers kExplain = {{"X-Debug-Request", "true"}};

std::string page(const std::string& path, const std::string& more = "") {
  return R"({"d":"a.de","n":"pageview","u":"https://a.de)" + path + "\"" + more + "}";
}

void write_countries(const std::filesystem::path& file, const char* country) {
  using Members = std::vector<std::pair<std::string, MmdbValue>>;
  const auto fresh = file.string() + ".new";
  write_mmdb(fresh, {{"::1.2.3.0", 120, Members{{"country", Members{{"iso_code", country}}}}}});
  std::filesystem::rename(fresh, file);
}

struct Fixture {
  explicit Fixture(std::vector<std::string> arguments = {})
      : daemon(daemon_program(), std::move(arguments)) {
    Api(daemon.url(), key).form("POST", "/api/v1/sites", "domain=a.de");
  }
  nlohmann::json explain(const std::string& body, Headers headers,
                         const std::string& with_key = "") {
    headers.push_back(kExplain.front());
    return body_of(Api(daemon.url(), with_key).event(body, headers))["events"][0];
  }
  DaemonProcess daemon;
  std::string key = daemon.make_key();
};

}  // namespace

TEST_CASE("visitor: browser, system, device and country are stored and explained",
          "[contract][visitor]") {
  TempFolder folder;
  write_countries(folder / "geo.mmdb", "DE");
  Fixture fixture({"--geoip", (folder / "geo.mmdb").string()});
  const Headers visitor = {{"User-Agent", kFirefox}, {"X-Forwarded-For", "1.2.3.4"}};
  Api(fixture.daemon.url(), "").event(page("/"), visitor);
  CHECK(
      fixture.daemon.query("SELECT device, browser, browser_version, os, coalesce(os_version, '-'),"
                           " country FROM event_text") == "Desktop|Firefox|131.0|Linux|-|DE");
  const auto shown = fixture.explain(page("/"), visitor);
  CHECK(shown["browser"] == "Firefox");
  CHECK(shown["browser_version"] == "131.0");
  CHECK(shown["os"] == "Linux");
  CHECK(shown["os_version"].is_null());
  CHECK(shown["device"] == "Desktop");
  CHECK(shown["country"] == "DE");
  // If the User-Agent does not tell the device, the screen's width does.
  CHECK(fixture.explain(page("/", R"(,"w":390)"), {{"User-Agent", "App/1"}})["device"] == "Mobile");
}

TEST_CASE("visitor: bots are dropped with their reason, HTTP libraries are counted",
          "[contract][visitor]") {
  Fixture fixture;
  Api api(fixture.daemon.url(), "");
  const auto dropped = [&](const char* agent) {
    return std::string(api.event(page("/"), {{"User-Agent", agent}}).header("X-Analytics-Dropped"));
  };
  CHECK(dropped(kGooglebot) == "a.de=bot");
  CHECK(dropped("Mozilla/5.0 (X11) HeadlessChrome/120.0.0.0") == "a.de=bot");
  CHECK(dropped(kFirefox).empty());
  CHECK(dropped("curl/8.5.0").empty());
  CHECK(dropped("python-requests/2.31.0").empty());
  CHECK(fixture.explain(page("/"), {{"User-Agent", kGooglebot}})["dropped"] == "bot");
  const auto body =
      body_of(Api(fixture.daemon.url(), "")
                  .event(page("/"), {{"User-Agent", kGooglebot}, {"X-Debug-Request", "true"}}));
  CHECK(body["bot"].get<std::string>().find("ot") != std::string::npos);
  // An import may keep bots.
  CHECK(Api(fixture.daemon.url(), fixture.key)
            .event(page("/kept", R"(,"keep_bots":true)"), {{"User-Agent", kGooglebot}})
            .header("X-Analytics-Dropped")
            .empty());
  CHECK(fixture.daemon.query("SELECT device FROM event_text WHERE path = '/kept'") == "Bot");
  const auto bulk =
      body_of(Api(fixture.daemon.url(), fixture.key)
                  .send("POST", "/api/v1/events",
                        page("/b", R"(,"user_agent":"Googlebot/2.1")") + "\n" + page("/c"),
                        "application/x-ndjson"));
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
  Api api(fixture.daemon.url(), fixture.key);
  CHECK(api.event(page("/", more), {{"User-Agent", kGooglebot}}).status == 202);
  CHECK(fixture.daemon.query("SELECT country, region, city, device, browser, browser_version, os,"
                             " os_version FROM event_text") == "JP|JP-13|Tokyo|Watch|B|1|O|2");
  CHECK(code_of(api.event(page("/", R"(,"country":"Japan")"))) == "400 invalid_event");
  const auto ignored = Api(fixture.daemon.url(), "").event(page("/", R"(,"country":"JP")"));
  CHECK(ignored.header("X-Analytics-Ignored") == "country");
}

TEST_CASE("visitor: spam referrers are dropped, and SIGHUP reads the files again",
          "[contract][visitor]") {
  TempFolder folder;
  const auto config = folder / "a.toml";
  const auto write_config = [&](const std::string& more) {
    std::ofstream(config) << "spam_referrers = \"" << (folder / "spam.txt").string()
                          << "\"\ngeoip = \"" << (folder / "geo.mmdb").string()
                          << "\"\nuser_agents = \"" << (folder / "absent.yaml").string() << "\"\n"
                          << more;
  };
  write_config("");
  std::ofstream(folder / "spam.txt") << "spam.example\n";
  Fixture fixture({"--config", config.string()});
  Api api(fixture.daemon.url(), "");
  const auto send = [&](const std::string& referrer) {
    return std::string(
        api.event(page("/", R"(,"r":")" + referrer + "\""), {{"User-Agent", kFirefox}})
            .header("X-Analytics-Dropped"));
  };
  CHECK(send("https://www.spam.example/x") == "a.de=spam_referrer");
  CHECK(send("https://other.example/").empty());
  CHECK(fixture.daemon.query("SELECT coalesce(browser, '-'), coalesce(country, '-')"
                             " FROM event_text") == "-|-");
  std::ofstream(folder / "spam.txt") << "other.example\n";
  write_countries(folder / "geo.mmdb", "SE");
  write_config("trusted_proxies = [\"loopback\"]\n");
  fixture.daemon.signal(SIGHUP);
  const Headers two = {{"X-Forwarded-For", "9.9.9.9, 1.2.3.4"}};
  while (fixture.explain(page("/"), two)["country"].is_null()) {
  }
  CHECK(send("https://other.example/") == "a.de=spam_referrer");
  CHECK(send("https://spam.example/").empty());
  // Invalid settings are rejected as a whole.
  write_config("trusted_proxies = [\"nonsense\"]\n");
  fixture.daemon.signal(SIGHUP);
  CHECK(fixture.explain(page("/"), two)["country"] == "SE");
  const auto log = fixture.daemon.end();
  CHECK(log.find("reload failed; the settings are unchanged") != std::string::npos);
  CHECK(log.find("absent.yaml") != std::string::npos);
}

TEST_CASE("visitor: visits are visible at once and survive kill -9", "[contract][visitor]") {
  Fixture fixture;
  std::optional<Api> api(std::in_place, fixture.daemon.url(), fixture.key);
  const auto send = [&](const std::string& path, const std::string& time,
                        const std::string& more = "") {
    return api->event(page(path, R"(,"timestamp":")" + time + "\"" + more),
                      {{"User-Agent", kFirefox}});
  };
  send("/a", "2026-11-20T23:50:00Z");
  send("/c", "2026-11-21T00:40:00Z");
  fixture.daemon.stop(SIGKILL);
  fixture.daemon.start();
  api.emplace(fixture.daemon.url(), fixture.key);
  send("/b", "2026-11-21T00:15:00Z");  // joins the two visits across midnight
  CHECK(api->event(R"({"d":"a.de","n":"engagement","u":"https://a.de/c","e":900,)"
                   R"("timestamp":"2026-11-21T01:00:00Z"})",
                   {{"User-Agent", kFirefox}})
            .header("X-Analytics-Dropped")
            .empty());
  CHECK(api->event(R"({"d":"a.de","n":"engagement","u":"https://a.de/c","e":900,)"
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
  TempFolder folder;
  std::ofstream(folder / "a.toml") << "trusted_proxies = [\"loopback\"]\n";
  Fixture fixture({"--config", (folder / "a.toml").string()});
  Api keyed(fixture.daemon.url(), fixture.key);
  Api api(fixture.daemon.url(), "");
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
  const Process::Options settings{
      {"ANALYTICS_URL=" + fixture.daemon.url(), "ANALYTICS_API_KEY=" + fixture.key}, {}};
  CHECK(run({cli_program(), "sites", "exclude", "add", "a.de", "--page", "/x"}, settings).exit ==
        0);
  const auto shown = run({cli_program(), "sites", "exclude", "list", "a.de"}, settings);
  CHECK(shown.out.find("\tpage\t/x\n") != std::string::npos);
  const auto id = shown.out.substr(shown.out.rfind('\n', shown.out.find("\tpage\t/x")) + 1, 1);
  CHECK(run({cli_program(), "sites", "exclude", "remove", "a.de", id}, settings).exit == 0);
  CHECK(run({cli_program(), "sites", "exclude", "remove", "a.de", id}, settings).exit == 5);
  CHECK(run({cli_program(), "sites", "exclude", "remove", "a.de", id, "--if-exists"}, settings)
            .exit == 0);
  CHECK(run({cli_program(), "sites", "exclude", "add", "a.de"}, settings).exit == 2);
}

TEST_CASE("exclusions: a forged X-Forwarded-For does not reveal excluded addresses",
          "[contract][visitor]") {
  Fixture fixture;
  Api(fixture.daemon.url(), fixture.key)
      .form("PUT", "/api/v1/sites/a.de/exclusions", "type=address&value=192.0.2.0%2F24");
  const Headers headers = {{"User-Agent", kFirefox}, {"X-Forwarded-For", "192.0.2.7"}};
  CHECK(Api(fixture.daemon.url(), "")
            .event(page("/"), headers)
            .header("X-Analytics-Dropped")
            .empty());
  CHECK(fixture.explain(page("/"), headers)["dropped"].is_null());
  // The peer's own address cannot be forged, but only the owner's key learns the reason.
  Api(fixture.daemon.url(), fixture.key)
      .form("PUT", "/api/v1/sites/a.de/exclusions", "type=address&value=127.0.0.1");
  CHECK(fixture.explain(page("/"), {{"User-Agent", kFirefox}})["dropped"].is_null());
  CHECK(fixture.explain(page("/"), {{"User-Agent", kFirefox}}, fixture.key)["dropped"] ==
        "excluded");
}

TEST_CASE("visitor: X-Debug-Request names every reason of a drop", "[contract][visitor]") {
  TempFolder folder;
  std::ofstream(folder / "a.toml") << "max_events_per_minute = 1\n";
  Fixture fixture({"--config", (folder / "a.toml").string()});
  Api api(fixture.daemon.url(), "");
  const Headers visitor = {{"User-Agent", kFirefox}};
  const auto dropped = [&](const std::string& body, Headers headers = {}) {
    headers.emplace_back("User-Agent", kFirefox);
    return fixture.explain(body, headers)["dropped"];
  };
  const std::string stay = R"({"d":"a.de","n":"engagement","u":"https://a.de/","e":900})";
  CHECK(dropped(stay) == "no_visit");
  CHECK(dropped(page("/")).is_null());
  Headers once = visitor;
  once.emplace_back("Idempotency-Key", "k");
  while (!api.event(page("/"), once).header("X-Analytics-Dropped").empty()) {
    REQUIRE(false);
  }
  CHECK(dropped(page("/"), {{"Idempotency-Key", "k"}}) == "duplicate");
  // The requests are repeated, because the minute of the limit may end once during the test.
  bool was_throttled = false;
  for (int i = 0; i < 3 && !was_throttled; ++i) {
    api.event(page("/" + std::to_string(i)), visitor);
    was_throttled = dropped(page("/")) == "throttled";
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
  Api api(fixture.daemon.url(), "");
  for (const std::string bad : {"about:config", "//host/x", "data:///x", "javascript://a/x", "x"}) {
    CHECK(code_of(api.event(R"({"d":"a.de","n":"pageview","u":")" + bad + "\"}")) ==
          "400 invalid_event");
  }
}

TEST_CASE("exclusions: hosts and pages match in any spelling", "[contract][visitor]") {
  Fixture fixture;
  Api keyed(fixture.daemon.url(), fixture.key);
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
  Api api(fixture.daemon.url(), fixture.key);
  const auto body = page("/a") + "\n" + page("/b", R"(,"visit":"v1","country":"FR")") + "\n" +
                    page("/c", R"(,"visit":"v2")");
  const auto reply = api.send("POST", "/api/v1/events", body, "application/x-ndjson",
                              {{"User-Agent", "Googlebot/2.1 (importer)"}});
  CHECK(body_of(reply)["accepted"] == 3);
  CHECK(fixture.daemon.query("SELECT count(*) FROM event_text WHERE path != '/a' AND"
                             " (device IS NOT NULL OR browser IS NOT NULL)") == "0");
  CHECK(fixture.daemon.query("SELECT count(DISTINCT visitor) FROM events") == "3");
}

TEST_CASE("throttle: events over a site's limit are dropped with the reason, imports are not",
          "[contract][visitor]") {
  TempFolder folder;
  std::ofstream(folder / "a.toml") << "max_events_per_minute = 5\n";
  Fixture fixture({"--config", (folder / "a.toml").string()});
  Api api(fixture.daemon.url(), "");
  const auto minute = [] {
    return std::chrono::floor<std::chrono::minutes>(std::chrono::system_clock::now());
  };
  const auto first = minute();
  int stored = 0;
  const auto dropped = [&](const Headers& headers) {
    const std::string reason(api.event(page("/"), headers).header("X-Analytics-Dropped"));
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
  for (int i = 0; i < 20; ++i) lines += page("/bulk") + "\n";
  const auto bulk = Api(fixture.daemon.url(), fixture.key)
                        .send("POST", "/api/v1/events", lines, "application/x-ndjson");
  CHECK(body_of(bulk)["accepted"] == 20);
}

}  // namespace analytics::test::visitor_test
