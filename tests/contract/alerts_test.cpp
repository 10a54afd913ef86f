// Alerts about sites: requested by a client, or sent to a webhook.
#include <csignal>
#include <fstream>

#include "common/text/time.h"
#include "tests/contract/stats_fixture.h"
#include "tests/support/webhook_receiver.h"

namespace analytics::test::alerts_test {

namespace {

using std::chrono::hours;

std::chrono::sys_seconds now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

/// Returns a line of NDJSON: a pageview of the visitor with that number.
std::string line(const std::string& site, int visitor, std::chrono::sys_seconds time) {
  return R"({"domain":")" + site + R"(","name":"pageview","url":"https://)" + site +
         R"(/","visitor":"v)" + std::to_string(visitor) + R"(","timestamp":)" +
         std::to_string(time.time_since_epoch().count()) + "}\n";
}

void import(Api& api, const std::string& lines) {
  const auto reply = api.bulk(lines);
  INFO(reply.body);
  REQUIRE(reply.status == 200);
  REQUIRE(body_of(reply)["rejected"] == 0);
  REQUIRE(body_of(reply)["dropped"] == 0);
}

nlohmann::json alerts_of(Api& api, const std::string& query = "") {
  const auto reply = api.send("GET", "/api/v1/stats/alerts" + query);
  INFO(reply.body);
  REQUIRE(reply.status == 200);
  return body_of(reply)["alerts"];
}

}  // namespace

TEST_CASE("alerts: a site that no longer gets events is reported as silent", "[contract][alerts]") {
  StatsFixture fixture;
  auto& api = fixture.api;
  api.form("POST", "/api/v1/sites", "domain=new.example");
  CHECK(alerts_of(api).empty());  // neither site has ever had an event
  const auto last = now() - hours(30);
  import(api, line("a.de", 1, last - hours(1)) + line("a.de", 2, last));
  const auto all = alerts_of(api);
  REQUIRE(all.size() == 1);
  CHECK(all[0]["site"] == "a.de");
  CHECK(all[0]["kind"] == "silent");
  CHECK(all[0]["since"] == format_rfc3339(last));
  CHECK(all[0]["text"].get<std::string>().find("30 hours ago") != std::string::npos);
  CHECK(alerts_of(api, "?silent_hours=48").empty());
  CHECK(alerts_of(api, "?site_id=new.example").empty());
  CHECK(alerts_of(api, "?site_id=a.de").size() == 1);
  CHECK(code_of(api.send("GET", "/api/v1/stats/alerts?silent_hours=0")) == "400 invalid_parameter");
  import(api, line("a.de", 3, now()));
  CHECK(alerts_of(api).empty());
}

TEST_CASE("alerts: an hour with far more visitors than usual is a spike", "[contract][alerts]") {
  StatsFixture fixture;
  auto& api = fixture.api;
  api.form("POST", "/api/v1/sites", "domain=usual.example");
  // If the hour ends during the test, the alert is still found: the previous hour is checked, too.
  const auto hour = std::chrono::floor<hours>(now());
  int visitor = 0;
  const auto add = [&](const std::string& site, std::chrono::sys_seconds time, int count) {
    std::string lines;
    for (int i = 0; i < count; ++i) lines += line(site, ++visitor, time);
    import(api, lines);
  };
  for (int day = 1; day <= 28; ++day) {
    // 101 is more than five times this number.
    add("a.de", hour - std::chrono::days(day), 20);
    // 105 is exactly five times this number.
    add("usual.example", hour - std::chrono::days(day), 21);
  }
  add("a.de", hour, 101);
  add("usual.example", hour, 105);
  const auto all = alerts_of(api);
  REQUIRE(all.size() == 1);
  CHECK(all[0]["site"] == "a.de");
  CHECK(all[0]["kind"] == "spike");
  CHECK(all[0]["since"] == format_rfc3339(hour));
  CHECK(all[0]["visitors"] == 101);
  CHECK(all[0]["usual"] == 20.0);
  // A hundred visitors are never a spike, however low the usual number is.
  api.form("POST", "/api/v1/sites", "domain=small.example");
  add("small.example", hour, 100);
  CHECK(alerts_of(api, "?site_id=small.example").empty());
  add("small.example", hour, 1);
  CHECK(alerts_of(api, "?site_id=small.example").size() == 1);
}

TEST_CASE("alerts: days before a site's first event do not lower the usual number",
          "[contract][alerts]") {
  StatsFixture fixture;
  const auto hour = std::chrono::floor<hours>(now());
  int visitor = 0;
  for (int day = 0; day <= 3;
       ++day) {  // the same number of visitors today and on the three days before
    std::string lines;
    for (int i = 0; i < 150; ++i) lines += line("a.de", ++visitor, hour - std::chrono::days(day));
    import(fixture.api, lines);
  }
  CHECK(alerts_of(fixture.api).empty());
}

TEST_CASE("alerts: a webhook gets each alert once, however often the daemon starts",
          "[contract][alerts]") {
  WebhookReceiver receiver({"500 Broken"});
  const TempFolder folder;
  std::ofstream(folder / "webhook") << receiver.url() << "/hook-secret\n";
  Service service({.site = "",
                   .settings = "[alerts]\nwebhook_file = \"" + (folder / "webhook").string() +
                               "\"\nsilent_hours = 2\n"});
  auto& daemon = service.daemon;
  const auto silence = [&](const char* site) {
    service.api.form("POST", "/api/v1/sites", std::string("domain=") + site);
    import(service.api, line(site, 1, now() - hours(3)));
    CHECK(daemon.stop(SIGTERM) == 0);
    daemon.start();  // the daemon checks the sites when it starts
  };
  silence("a.example");
  const auto first = receiver.next();  // the receiver answered it with 500
  CHECK(first.starts_with("POST /hook-secret HTTP/1.1\n"));
  const auto body = nlohmann::json::parse(first.substr(first.find('\n')));
  CHECK(body["site"] == "a.example");
  CHECK(body["kind"] == "silent");
  CHECK(body["text"].get<std::string>().find("has had no event") != std::string::npos);
  CHECK(receiver.next() == first);  // the daemon sends the refused alert again
  CHECK(daemon.query("SELECT count(*) FROM sites") == "1");
  // Sites are checked in order: a repeated alert about the first site would arrive first.
  silence("b.example");
  CHECK(receiver.next().find("b.example") != std::string::npos);
  const auto log = daemon.end();
  CHECK(log.find("alert sent") != std::string::npos);
  CHECK(log.find("hook-secret") == std::string::npos);
}

TEST_CASE("alerts: a redirect of the webhook is not followed", "[contract][alerts]") {
  WebhookReceiver receiver({"302 Found\r\nLocation: /elsewhere"});
  Service service(
      {.site = "a.example", .settings = "[alerts]\nwebhook = \"" + receiver.url() + "/x\"\n"});
  import(service.api, line("a.example", 1, now() - hours(30)));
  CHECK(service.daemon.stop(SIGTERM) == 0);
  service.daemon.start();
  CHECK(receiver.next().starts_with("POST /x "));
  CHECK(service.daemon.stop(SIGTERM) == 0);
  service.daemon.start();  // the alert was not delivered and is tried again
  CHECK(receiver.next().starts_with("POST /x "));
}

}  // namespace analytics::test::alerts_test
