#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"

using namespace analytics;
using namespace analytics::test;

TEST_CASE("metrics: what happened is counted, in a form that Prometheus takes",
          "[contract][metrics]") {
  DaemonProcess daemon(daemon_program(), {"--admin-listen", "127.0.0.1:0"});
  const auto url = daemon.metrics_url();
  const auto base = url.substr(0, url.size() - std::string("/metrics").size());
  Api api(daemon.url(), daemon.make_key());
  api.form("POST", "/api/v1/sites", "domain=a.de");
  api.event(R"({"d":"a.de","n":"x","u":"https://a.de/"})");
  api.event(R"({"d":"none.de","n":"x","u":"https://a.de/"})");
  api.send("GET", "/nowhere");
  Api admin_api(base, "");
  const auto reply = admin_api.send("GET", "/metrics");
  CHECK(reply.status == 200);
  for (const std::string line :
       {R"(analytics_http_requests_total{method="POST",route="/api/event",code="202"} 2)",
        R"(analytics_http_requests_total{method="",route="none",code="404"} 1)",
        R"(analytics_events_total{outcome="accepted"} 1)",
        R"(analytics_events_total{outcome="unknown_site"} 1)", "analytics_commit_events_count 1",
        "analytics_queue_limit_events 50000", "analytics_healthy 1"}) {
    INFO(line);
    CHECK(reply.body.find(line + "\n") != std::string::npos);
  }
  const auto judged = run({"promtool", "check", "metrics"}, {{}, reply.body});
  INFO(judged.err);
  CHECK(judged.exit == 0);
  CHECK(admin_api.send("POST", "/metrics").status == 405);
  CHECK(admin_api.send("GET", "/api/v1/sites").status == 404);
  CHECK(api.send("GET", "/metrics").status == 404);
}

TEST_CASE("health: says when the disk is below its floor", "[contract][metrics]") {
  TempFolder folder;
  run({"sh", "-c", "echo min_free_disk_bytes = 1099511627776 >" + (folder / "c.toml").string()});
  DaemonProcess daemon(daemon_program(), {"--config", (folder / "c.toml").string()});
  const auto reply = Api(daemon.url(), "").send("GET", "/api/health");
  CHECK(reply.status == 503);
  CHECK(body_of(reply)["status"] == "unavailable");
  CHECK(body_of(reply)["reason"] == "the disk is nearly full");
}
