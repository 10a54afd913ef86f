#include <algorithm>
#include <csignal>
#include <set>
#include <sstream>

#include "common/text/time.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/support/rounds.h"
#include "tests/support/service.h"

namespace analytics::test::sealing_test {

namespace {

constexpr int kEvents = 2'400;

/// A service with old events, a third of them from an import. The salts of their days are
/// destroyed.
struct Fixture : Service {
  Fixture() {
    std::string live;
    std::string imported;
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    for (int i = 0; i < kEvents; ++i) {
      nlohmann::json event;
      event["name"] = i % 7 == 0 ? "Signup" : "pageview";
      event["domain"] = "a.de";
      event["url"] = "https://a.de/" + std::to_string(i % 11);
      event["visitor"] = std::to_string(i / 4);
      event["timestamp"] =
          format_rfc3339(now - std::chrono::hours(40 * 24) + std::chrono::minutes(i));
      (i % 3 == 0 ? imported : live) += event.dump() + "\n";
    }
    CHECK(api.bulk(live).status == 200);
    const auto range = "0-" + std::to_string(imported.size() - 1);
    const auto stored = api.bulk(imported, import_headers(range, "i"));
    INFO(stored.body);
    CHECK(stored.status == 200);
    events = exported();
    totals = read_totals();
    CHECK(events.size() == kEvents);
    daemon.stop(SIGTERM);
    const auto forgotten =
        run({"sqlite3", daemon.database().string(), "DELETE FROM salts; SELECT changes() > 0"});
    REQUIRE(forgotten.out.find('1') != std::string::npos);
  }

  /// Runs `analyticsd compact`, which seals old days, with failpoints.
  [[nodiscard]] Process::Finished compact(const std::string& failpoints = "") const {
    return operate({"compact"}, {{"ANALYTICS_FAILPOINTS=" + failpoints}, {}});
  }
  /// Returns the exported events without the ids of visitors and visits, which differ in each
  /// export.
  [[nodiscard]] std::multiset<std::string> exported() {
    std::istringstream lines(answer(api.send("GET", "/api/v1/sites/a.de/events")));
    std::multiset<std::string> all;
    for (std::string line; std::getline(lines, line);) {
      auto event = nlohmann::json::parse(line);
      event.erase("visitor");
      event.erase("visit");
      all.insert(event.dump());
    }
    return all;
  }
  [[nodiscard]] std::string read_totals() {
    return results(R"({"site_id":"a.de","date_range":"all","metrics":["visitors","visits",)"
                   R"("pageviews","events","bounce_rate","visit_duration"]})");
  }
  [[nodiscard]] std::string read_days() {
    return results(
        R"({"site_id":"a.de","date_range":"all","metrics":["visitors","visits","pageviews",)"
        R"("events","bounce_rate","visit_duration"],"dimensions":["time:day"]})");
  }
  [[nodiscard]] std::string results(const std::string& query) {
    const auto reply = api.json("POST", "/api/v2/query", query);
    return nlohmann::json::parse(answer(reply))["results"].dump();
  }
  /// Returns the body of a reply. Fails the test unless the status is 200.
  static std::string answer(const HttpReply& reply) {
    INFO(reply.status << ' ' << reply.reason << reply.body);
    REQUIRE(reply.status == 200);
    return reply.body;
  }

  std::multiset<std::string> events;  ///< Exported events before sealing.
  std::string totals;
};

}  // namespace

TEST_CASE("crash: a kill at any point of sealing loses nothing and counts nothing twice",
          "[crash][sealing]") {
  const std::vector<std::string> points = {"in_parts=kill@2", "in_parts=kill",
                                           "in_parts=kill@3", "before_parts_live=kill",
                                           "in_sweep=kill",   "in_sweep=kill@2"};
  for (int i = 0; i < rounds(static_cast<int>(points.size())); ++i) {
    const auto& point = points[static_cast<std::size_t>(i)];
    INFO(point);
    Fixture fixture;
    const auto killed = fixture.compact(point);
    INFO(killed.out + killed.err);
    CHECK(killed.exit == 128 + SIGKILL);
    fixture.daemon.start();  // the daemon continues to seal during the requests
    CHECK(fixture.exported() == fixture.events);
    CHECK(fixture.read_totals() == fixture.totals);
    CHECK(fixture.daemon.stop(SIGTERM) == 0);
    const auto done = fixture.compact();
    INFO(done.out + done.err);
    CHECK(done.exit == 0);
    CHECK(done.out.find("\nevents " + std::to_string(kEvents) + "\n") != std::string::npos);
    CHECK(done.out.find("\nevents that are still rows 0\n") != std::string::npos);
    CHECK(fixture.compact().out == done.out);  // a second run has nothing to do
    fixture.daemon.start();
    CHECK(fixture.exported() == fixture.events);
    CHECK(fixture.read_totals() == fixture.totals);
  }
}

TEST_CASE("crash: a kill while a sealed import is undone leaves all other events",
          "[crash][sealing]") {
  Fixture fixture;
  CHECK(fixture.compact().exit == 0);
  fixture.daemon.start("in_parts=kill@2");
  CHECK(fixture.api.form("DELETE", "/api/v1/sites/a.de/imports/i", "").status == 200);
  CHECK(fixture.daemon.wait() == 128 + SIGKILL);
  fixture.daemon.start("before_parts_live=kill");
  CHECK(fixture.daemon.wait() == 128 + SIGKILL);
  fixture.daemon.start();
  CHECK(eventually([&] { return fixture.daemon.query("SELECT count(*) FROM removals") == "0"; }));
  const auto left = fixture.exported();
  CHECK(left.size() == kEvents - kEvents / 3);
  const auto wanted = nlohmann::json::parse(
      fixture.read_totals())[0]["metrics"][3];  // the sum of "events", as in the export
  CHECK(wanted == kEvents - kEvents / 3);
}

TEST_CASE("crash: each day counts once after a kill while events become daily totals",
          "[crash][sealing]") {
  const std::vector<std::pair<bool, std::string>> cases = {
      {true, "in_totals=kill@9"}, {true, "in_removal=kill"},   {false, "in_totals_job=kill@3"},
      {false, "in_totals=kill"},  {false, "in_totals=kill@9"}, {false, "before_totals_live=kill"},
      {false, "in_removal=kill"}};
  for (int i = 0; i < rounds(static_cast<int>(cases.size())); ++i) {
    const auto& [is_sealed, point] = cases[static_cast<std::size_t>(i)];
    CAPTURE(is_sealed, point);
    Fixture fixture;
    if (is_sealed) CHECK(fixture.compact().exit == 0);
    fixture.daemon.start();
    const auto days = fixture.read_days();
    CHECK(fixture.api.form("PUT", "/api/v1/sites/a.de", "keep=30d&keep_totals=true&confirm=a.de")
              .status == 200);
    fixture.daemon.stop(SIGTERM);
    fixture.change("UPDATE sites SET keep_at = keep_at - 172800");
    fixture.daemon.start(point);
    CHECK(fixture.daemon.wait() == 128 + SIGKILL);
    fixture.daemon.start();  // the daemon continues to make totals during the requests
    const auto is_done = [&] {
      CHECK(fixture.read_days() == days);
      return fixture.exported().empty() &&
             fixture.daemon.query(
                 "SELECT (SELECT count(*) FROM removals) + (SELECT count(*) FROM"
                 " total_batches WHERE state <> 1)") == "0";
    };
    CHECK(eventually(is_done));
    CHECK(fixture.daemon.stop(SIGTERM) == 0);
    CHECK(fixture.operate({"check"}).exit == 0);
  }
}

}  // namespace analytics::test::sealing_test
