#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::removal_test {

namespace {

constexpr char kEvents[] = "/api/v1/sites/a.de/events";

/// A service with events on three pages, from several sources, on several days.
struct Fixture : Service {
  Fixture() {
    const std::string lines = line("2026-11-01", "/a", "1.1.1.1", "https://www.google.com/") +
                              line("2026-11-01", "/b", "1.1.1.1", "") +
                              line("2026-11-02", "/a", "2.2.2.2", "") +
                              line("2026-11-03", "/b/c", "3.3.3.3", "https://spam.example/x");
    REQUIRE(api.bulk(lines, import_headers("0-10", "i")).status == 200);
  }
  static std::string line(const std::string& day, const std::string& path, const std::string& ip,
                          const std::string& referrer) {
    const auto more = R"(,"r":")" + referrer + R"(","p":{"plan":"pro"},"timestamp":")" + day +
                      R"(T10:00:00Z","ip":")" + ip + R"(","user_agent":"UA")";
    return pageview(path, more) + "\n";
  }
  std::int64_t count(const std::string& query) {
    const auto reply = api.send("DELETE", kEvents + ("?dry_run=true&" + query));
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    CHECK(body_of(reply)["deleted"] == "false");
    return body_of(reply)["events"].get<std::int64_t>();
  }
  std::string exported() { return api.send("GET", kEvents + std::string("?ids=1")).body; }
  /// Restarts the daemon as if `keep` had been changed that many seconds earlier.
  void pass_time(int seconds) {
    CHECK(daemon.stop(SIGTERM) == 0);
    change("UPDATE sites SET keep_at = keep_at - " + std::to_string(seconds));
    daemon.start();
  }
};

/// Returns the event_id in the line that contains a text.
std::string id_of(const std::string& lines, const std::string& text) {
  const auto end = lines.find(text);
  REQUIRE(end != std::string::npos);
  const std::string kBefore = R"("event_id":")";
  const auto at = lines.rfind(kBefore, end) + kBefore.size();
  return lines.substr(at, lines.find('"', at) - at);
}

}  // namespace

// Does not run in a cluster, whose nodes keep the removal's selection in the registry's log.
TEST_CASE("removal: texts that nothing else uses are deleted from the files", "[contract][alone]") {
  Fixture fixture;
  CHECK(fixture.api.form("DELETE", kEvents, "source=spam.example").status == 200);
  const auto file = fixture.daemon.database().string();
  CHECK(run({"grep", "-c", "spam.example", file, file + "-wal"}).exit == 1);
}

TEST_CASE("removal: a dry run counts events, and a removal deletes them and their traces",
          "[contract]") {
  Fixture fixture;
  CHECK(fixture.count("page=/a") == 2);
  CHECK(fixture.count("page=/b*") == 2);
  CHECK(fixture.count("source=Google") == 2);  // all events of the visit
  CHECK(fixture.count("source=Direct+/+None") == 1);
  CHECK(fixture.count("prop=plan=pro") == 4);
  CHECK(fixture.count("prop=plan") == 4);
  CHECK(fixture.count("prop=plan=free") == 0);
  CHECK(fixture.count("import=i&to=2026-11-02") == 3);
  CHECK(fixture.count("from=2026-11-02&to=2026-11-02T10:00:00Z") == 0);
  CHECK(fixture.count("from=2026-11-02&page=/a") == 1);
  const auto lines = fixture.exported();
  const auto id = id_of(lines, "https://a.de/b\"");
  CHECK(fixture.count("visitor_of=" + id) == 2);
  CHECK(fixture.count("visitor_of=" + id + "&page=/a") == 1);
  const auto only = fixture.api.send("GET", kEvents + ("?ids=1&page=/a&visitor_of=" + id)).body;
  CHECK(std::count(only.begin(), only.end(), '\n') == 1);
  CHECK(only.find(id_of(lines, "https://a.de/a\",\"referrer") + "\"") != std::string::npos);

  const auto deleted = fixture.api.form("DELETE", kEvents, "source=spam.example");
  CHECK(deleted.status == 200);
  CHECK(body_of(deleted) == nlohmann::json({{"deleted", "true"}, {"events", 1}}));
  CHECK(body_of(fixture.api.json("DELETE", kEvents,
                                 R"({"visitor_of":")" + id + R"("})"))["events"] == 2);
  CHECK(fixture.count("visitor_of=" + id) == 0);
  CHECK(fixture.count("prop=plan") == 1);
  // The import's range is kept, so that sending the same file again stores nothing.
  CHECK(fixture.daemon.query("SELECT count(*) FROM import_ranges") == "1");
}

TEST_CASE("removal: an invalid selection deletes nothing", "[contract]") {
  Fixture fixture;
  const auto ask = [&](const std::string& query) {
    return code_of(fixture.api.send("DELETE", kEvents + ("?" + query)));
  };
  CHECK(ask("") == "400 missing_parameter");
  CHECK(ask("page=+") == "400 missing_parameter");
  CHECK(ask("from=yesterday") == "400 invalid_parameter");
  CHECK(ask("to=2026-13-01") == "400 invalid_parameter");
  CHECK(ask("visitor_of=1") == "400 invalid_parameter");
  CHECK(ask("page=" + std::string(20, '*') + "/a*b*c*d*e*f*g*h*i*j") == "400 invalid_parameter");
  CHECK(ask("dry_run=1&page=/a") == "400 invalid_parameter");
  CHECK(ask("import=none") == "404 import_not_found");
  const auto code_with = [&](const std::vector<std::string>& scopes) {
    return code_of(fixture.client("acme", scopes)
                       .send("DELETE", kEvents + std::string("?page=/a&dry_run=true")));
  };
  CHECK(code_with({"--scope", "sites:write"}) == "403 missing_scope");
  CHECK(code_with({"--scope", "stats:read"}) == "403 missing_scope");
  CHECK(code_with({"--scope", "sites:write", "--scope", "stats:read"}) == "200 -");
  CHECK(fixture.count("from=2026-01-01") == 4);
}

TEST_CASE("removal: a stopping daemon answers waiting clients and continues at its next start",
          "[contract]") {
  Fixture fixture;
  CHECK(fixture.daemon.stop(SIGTERM) == 0);
  fixture.daemon.start("in_removal=sleep:20000");
  HttpReply reply;
  std::thread waiting(
      [&] { reply = fixture.api.send("DELETE", kEvents + std::string("?page=/a")); });
  while (fixture.daemon.query("SELECT count(*) FROM removals") == "0") std::this_thread::yield();
  CHECK(fixture.daemon.stop(SIGTERM) == 0);
  waiting.join();
  CHECK((reply.status == 503 || reply.status == 200));
  fixture.daemon.start();
  while (fixture.daemon.query("SELECT count(*) FROM removals") != "0") std::this_thread::yield();
  CHECK(fixture.count("page=/a") == 0);
  CHECK(fixture.count("from=2026-01-01") == 2);
}

namespace {

/// A service whose database file becomes smaller.
struct ShrinkingFixture : Fixture {
  ShrinkingFixture() {
    api.form("POST", "/api/v1/sites", "domain=b.de");
    std::string lines;
    for (int i = 0; i < 5'000; ++i) {
      lines += R"({"d":"b.de","n":"pageview","u":"https://b.de/)" + std::to_string(i) + "\"}\n";
    }
    REQUIRE(api.bulk(lines).status == 200);
  }
  [[nodiscard]] int pages() const { return std::stoi(daemon.query("PRAGMA page_count")); }
  void checkpoint() const { run({"sqlite3", daemon.database().string(), "PRAGMA wal_checkpoint"}); }
  /// Deletes events, and calls `between` until the database has 50 pages fewer.
  void shrink(const std::function<void()>& between) {
    const auto before = pages();
    CHECK(api.send("DELETE", "/api/v1/sites/b.de").status == 200);
    while (pages() > before - 50) {
      between();
      REQUIRE(api.form("PUT", "/api/v1/sites/a.de", "timezone=Europe%2FParis").status == 200);
    }
  }
  void check_event() { CHECK(api.event(pageview("/after")).status == 202); }
};

}  // namespace

TEST_CASE("removal: a checkpoint by another process may truncate a file that became smaller",
          "[contract]") {
  ShrinkingFixture fixture;
  fixture.shrink([&] { fixture.checkpoint(); });
  fixture.checkpoint();
  fixture.check_event();
}

TEST_CASE("removal: a checkpoint by another process may be seen before it truncates the file",
          "[contract]") {
  ShrinkingFixture fixture;
  fixture.checkpoint();
  fixture.shrink([] {});
  // SQLite's checkpoint writes the first page of the database first, with the number of pages in
  // its header.
  std::fstream file(fixture.daemon.database(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(28);
  const auto pages = fixture.pages();
  for (int shift = 24; shift >= 0; shift -= 8) file.put(static_cast<char>(pages >> shift));
  file.close();
  fixture.check_event();
  fixture.checkpoint();
  fixture.check_event();
}

TEST_CASE("retention: a site's events expire once its owner has confirmed the time to keep",
          "[contract]") {
  Fixture fixture;
  const auto get = [&] { return body_of(fixture.api.send("GET", "/api/v1/sites/a.de")); };
  const auto put = [&](const std::string& form) {
    return fixture.api.form("PUT", "/api/v1/sites/a.de", form);
  };
  CHECK(get()["keep"] == "forever");
  CHECK(get()["keep_is_default"] == true);
  CHECK(code_of(put("keep=0d")) == "400 invalid_parameter");
  CHECK(code_of(put("keep=1200mo")) == "200 -");  // no event is that old
  CHECK(get()["keep"] == "1200mo");
  CHECK(code_of(put("keep=1d")) == "409 confirm_required");
  CHECK(body_of(put("keep=1d"))["error"].get<std::string>().starts_with("4 events are older"));
  CHECK(code_of(put("keep=1d&confirm=b.de")) == "409 confirm_required");
  CHECK(get()["keep"] == "1200mo");
  CHECK(put("keep=1d&confirm=a.de").header("X-Analytics-Outcome") == "updated");
  CHECK(put("keep=1d").header("X-Analytics-Outcome") == "unchanged");
  CHECK(get()["keep"] == "1d");
  CHECK(get()["keep_is_default"] == false);
  // In the first day after the change of `keep`, nothing expires and late events are accepted.
  const auto send = [&] {
    const auto line = Fixture::line("2026-11-01", "/late", "1.1.1.1", "");
    return body_of(fixture.api.bulk(line));
  };
  CHECK(send()["accepted"] == 1);
  CHECK(fixture.count("from=2026-01-01") == 5);
  fixture.pass_time(90'000);
  const auto late = send();
  CHECK(late["dropped"] == 1);
  CHECK(late["dropped_by"]["expired"] == 1);
  while (!get()["first_event_at"].is_null()) std::this_thread::yield();
  CHECK(fixture.count("from=2026-01-01") == 0);
  CHECK(code_of(put("keep=forever")) == "200 -");
}

TEST_CASE("retention: expired days leave their daily totals", "[contract][alone]") {
  Fixture fixture;
  const auto get = [&] { return body_of(fixture.api.send("GET", "/api/v1/sites/a.de")); };
  const auto put = [&](const std::string& form) {
    return fixture.api.form("PUT", "/api/v1/sites/a.de", form);
  };
  const auto query = [&](const std::string& rest) {
    const auto reply = fixture.api.json("POST", "/api/v2/query",
                                        R"({"site_id":"a.de","date_range":"all",)" + rest + "}");
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    return body_of(reply);
  };
  const auto answers = [&] {
    const std::string metrics = R"("metrics":["visitors","visits","pageviews","bounce_rate"])";
    std::vector<nlohmann::json> all;
    for (const auto* by : {"", R"("event:page")", R"("visit:source")", R"("event:props:plan")",
                           R"("time:day")", R"("time:month")"}) {
      all.push_back(query(metrics + R"(,"dimensions":[)" + by + "]")["results"]);
    }
    return all;
  };
  const auto before = answers();
  CHECK(code_of(put("keep_totals=perhaps")) == "400 invalid_parameter");
  CHECK(get()["keep_totals"] == false);
  CHECK(put("keep_totals=true").header("X-Analytics-Outcome") == "updated");
  CHECK(put("keep_totals=true").header("X-Analytics-Outcome") == "unchanged");
  CHECK(get()["keep_totals"] == true);
  CHECK(get()["totals_from"].is_null());
  REQUIRE(code_of(put("keep=1d&confirm=a.de")) == "200 -");
  fixture.pass_time(172'800);
  while (!get()["first_event_at"].is_null()) std::this_thread::yield();
  CHECK(get()["totals_from"] == "2026-11-01");
  CHECK(fixture.exported().empty());
  CHECK(answers() == before);
  // Totals cannot answer this filter, so they are left out, and the answer says so.
  const auto filtered =
      query(R"("metrics":["visitors"],"filters":[["contains","event:page",["/"]]])");
  CHECK(filtered["results"][0]["metrics"][0] == 0);
  CHECK(filtered["meta"]["metric_warnings"]["visitors"]["code"] == "totals_left_out");
  const auto revenue = query(R"("metrics":["visitors","total_revenue"])");
  CHECK(revenue["results"][0]["metrics"][0] == 3);
  CHECK(revenue["meta"]["metric_warnings"].size() == 1);
  CHECK(revenue["meta"]["metric_warnings"]["total_revenue"]["code"] == "totals_without_revenue");
  const auto v1 = [&](const std::string& more) {
    return body_of(fixture.api.send(
        "GET",
        "/api/v1/stats/aggregate?site_id=a.de&period=custom&date=2026-11-01,2026-11-03" + more));
  };
  CHECK(v1("")["results"]["visitors"]["value"] == 3);
  CHECK_FALSE(v1("").contains("warning"));
  CHECK(v1("&filters=event:page%3D%3D%2Fa%7C%2Fb").contains("warning"));
  CHECK(code_of(put("keep_totals=false")) == "409 confirm_required");
  CHECK(code_of(put("keep_totals=false&confirm=a.de")) == "200 -");
  CHECK(query(R"("metrics":["visitors"])")["results"][0]["metrics"][0] == 3);
  fixture.pass_time(172'800);
  while (!get()["totals_from"].is_null()) std::this_thread::yield();
  CHECK(query(R"("metrics":["visitors"])")["results"][0]["metrics"][0] == 0);
}

TEST_CASE("retention: the shared page counts daily totals and says where it cannot",
          "[contract][alone]") {
  Fixture fixture;
  REQUIRE(code_of(fixture.api.form("PUT", "/api/v1/sites/a.de",
                                   "keep_totals=true&keep=1d&confirm=a.de")) == "200 -");
  const auto path = "/share/a.de?auth=" + fixture.make_link() + "&period=all";
  fixture.pass_time(172'800);
  auto& api = fixture.api;
  while (!body_of(api.send("GET", "/api/v1/sites/a.de"))["first_event_at"].is_null()) {
    std::this_thread::yield();
  }
  const auto page = [&](const std::string& more) { return api.send("GET", path + more).body; };
  const std::string note = "Only daily totals are kept of some of these days";
  const auto all = page("");
  CHECK(all.find("/b/c") != std::string::npos);
  CHECK(all.find("pro</bdi>") != std::string::npos);  // a value of the property `plan`
  CHECK(all.find(note) == std::string::npos);
  const auto filtered =
      page("&filters=%5B%5B%22is%22%2C%22event%3Apage%22%2C%5B%22%2Fa%22%5D%5D%5D");
  CHECK(filtered.find("/b/c") == std::string::npos);
  CHECK(filtered.find(note) != std::string::npos);
  CHECK(page("&browsers=versions").find("<main>") != std::string::npos);
}

TEST_CASE("retention: the settings provide the default time to keep events", "[contract]") {
  Service service({.settings = "default_keep = \"25mo\"\n"});
  auto& api = service.api;
  const auto site = body_of(api.send("GET", "/api/v1/sites/a.de"));
  CHECK(site["keep"] == "25mo");
  CHECK(site["keep_is_default"] == true);
  const auto old = body_of(api.bulk(Fixture::line("2020-01-01", "/", "1.1.1.1", "")));
  CHECK(old["dropped_by"]["expired"] == 1);
  api.form("PUT", "/api/v1/sites/a.de", "keep=forever");
  const auto kept = body_of(api.bulk(Fixture::line("2020-01-01", "/", "1.1.1.1", "")));
  CHECK(kept["accepted"] == 1);
}

}  // namespace analytics::test::removal_test
