#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::proxy_test {

namespace {

Headers browser(int number) { return {{"User-Agent", kFirefox + std::to_string(number % 9)}}; }

}  // namespace

TEST_CASE("watch: log and metrics report settings that do not fit the proxy",
          "[contract][visitor]") {
  Service service({.arguments = {"--admin-listen", "127.0.0.1:0"}});
  const auto has = [&](const char* metric) {
    return service.metrics().find(metric) != std::string::npos;
  };
  for (int i = 0; i < 500; ++i) service.visitor.event(pageview(), browser(i));
  CHECK(has("analytics_sites_with_one_address 1"));
  CHECK(has("analytics_unverified_events_total 0"));
  for (int i = 0; i < 500; ++i) {
    auto headers = browser(i);
    headers.emplace_back("X-Forwarded-For", "192.0.2." + std::to_string(i % 200));
    service.visitor.event(pageview(), headers);
  }
  CHECK(has("analytics_sites_with_one_address 0"));
  CHECK(has("analytics_unverified_events_total 500"));
  const auto log = service.daemon.end();
  CHECK(log.find("nearly all events of a site come from one address") != std::string::npos);
  CHECK(log.find("anybody can forge visitors; set trusted_proxies") != std::string::npos);
  CHECK(log.find("192.0.2") == std::string::npos);
}

TEST_CASE("metrics: they show when keys expire and how many log lines were dropped", "[contract]") {
  Service service({.site = "", .arguments = {"--admin-listen", "127.0.0.1:0"}});
  CHECK(service.metrics().find("analytics_key_expires_timestamp_seconds{") == std::string::npos);
  (void)service.daemon.make_key("acme", {"--expires", "30d"});
  CHECK(service.metrics().find("analytics_key_expires_timestamp_seconds{key=\"2\"} ") !=
        std::string::npos);
  CHECK(service.metrics().find("analytics_log_lines_dropped_total 0") != std::string::npos);
}

TEST_CASE("doctor: it reports what the running daemon has seen and what is stored", "[contract]") {
  Service service;
  service.api.form("POST", "/api/v1/sites", "domain=quiet.de");
  auto headers = browser(1);
  headers.emplace_back("X-Forwarded-For", "192.0.2.1");
  REQUIRE(service.visitor.event(pageview(), headers).status == 202);
  const auto doctor = [&] { return service.operate({"doctor", "-o", "json"}); };
  const auto lines_of = [](const Process::Finished& done, const std::string& subject) {
    std::string lines;
    for (const auto& finding : nlohmann::json::parse(done.out)) {
      if (finding["subject"] != subject) continue;
      lines += finding["level"].get<std::string>() + " " + finding["text"].get<std::string>() + ";";
    }
    return lines;
  };
  const auto running = doctor();
  CHECK(running.exit == 1);
  CHECK(lines_of(running, "daemon").starts_with("ok has run for "));
  CHECK(lines_of(running, "proxies").starts_with("problem 1 event came with X-Forwarded-For"));
  CHECK(lines_of(running, "backup").starts_with("problem no backup was made"));
  CHECK(lines_of(running, "site quiet.de").starts_with("note has had no event yet"));
  (void)service.daemon.end();  // stores the counters
  const auto stopped = doctor();
  CHECK(lines_of(stopped, "daemon").starts_with("problem does not run"));
  CAPTURE(stopped.out);
  CHECK(lines_of(stopped, "site a.de").starts_with("ok had its last event "));
  CHECK(lines_of(stopped, "site a.de").find("1 event of the last day: accepted") !=
        std::string::npos);
}

}  // namespace analytics::test::proxy_test
