#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"

namespace analytics::test::proxy_test {

namespace {

constexpr char kPage[] = R"({"d":"a.de","n":"pageview","u":"https://a.de/"})";

Headers browser(int number) {
  return {{"User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0" +
                             std::to_string(number % 9)}};
}

}  // namespace

TEST_CASE("watch: log and metrics report settings that do not fit the proxy",
          "[contract][visitor]") {
  DaemonProcess daemon(daemon_program(), {"--admin-listen", "127.0.0.1:0"});
  const auto metrics = daemon.metrics_url();
  Api(daemon.url(), daemon.make_key()).form("POST", "/api/v1/sites", "domain=a.de");
  Api api(daemon.url(), "");
  const auto has = [&](const char* metric) {
    const auto text = Api(metrics.substr(0, metrics.rfind('/')), "").send("GET", "/metrics").body;
    return text.find(metric) != std::string::npos;
  };
  for (int i = 0; i < 500; ++i) api.event(kPage, browser(i));
  CHECK(has("analytics_sites_with_one_address 1"));
  CHECK(has("analytics_unverified_events_total 0"));
  for (int i = 0; i < 500; ++i) {
    auto headers = browser(i);
    headers.emplace_back("X-Forwarded-For", "192.0.2." + std::to_string(i % 200));
    api.event(kPage, headers);
  }
  CHECK(has("analytics_sites_with_one_address 0"));
  CHECK(has("analytics_unverified_events_total 500"));
  const auto log = daemon.end();
  CHECK(log.find("nearly all events of a site come from one address") != std::string::npos);
  CHECK(log.find("anybody can forge visitors; set trusted_proxies") != std::string::npos);
  CHECK(log.find("192.0.2") == std::string::npos);
}

TEST_CASE("metrics: they show when keys expire and how many log lines were dropped", "[contract]") {
  DaemonProcess daemon(daemon_program(), {"--admin-listen", "127.0.0.1:0"});
  const auto metrics = daemon.metrics_url();
  (void)daemon.make_key();
  const auto text = [&] {
    return Api(metrics.substr(0, metrics.rfind('/')), "").send("GET", "/metrics").body;
  };
  CHECK(text().find("analytics_key_expires_timestamp_seconds{") == std::string::npos);
  (void)daemon.make_key("acme", {"--expires", "30d"});
  CHECK(text().find("analytics_key_expires_timestamp_seconds{key=\"2\"} ") != std::string::npos);
  CHECK(text().find("analytics_log_lines_dropped_total 0") != std::string::npos);
}

TEST_CASE("doctor: it reports what the running daemon has seen and what is stored", "[contract]") {
  DaemonProcess daemon(daemon_program());
  Api(daemon.url(), daemon.make_key()).form("POST", "/api/v1/sites", "domain=a.de");
  Api(daemon.url(), daemon.make_key()).form("POST", "/api/v1/sites", "domain=quiet.de");
  Api api(daemon.url(), "");
  auto headers = browser(1);
  headers.emplace_back("X-Forwarded-For", "192.0.2.1");
  REQUIRE(api.event(kPage, headers).status == 202);
  const auto doctor = [&] {
    return run({daemon_program(), "doctor", "--db", daemon.database().string(), "-o", "json"});
  };
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
  (void)daemon.end();  // stores the counters
  const auto stopped = doctor();
  CHECK(lines_of(stopped, "daemon").starts_with("problem does not run"));
  CAPTURE(stopped.out);
  CHECK(lines_of(stopped, "site a.de").starts_with("ok had its last event "));
  CHECK(lines_of(stopped, "site a.de").find("1 event of the last day: accepted") !=
        std::string::npos);
}

}  // namespace analytics::test::proxy_test
