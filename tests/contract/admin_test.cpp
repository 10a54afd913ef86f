#include <csignal>
#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::admin_test {

TEST_CASE("metrics: the daemon exports its counters in Prometheus's format",
          "[contract][metrics]") {
  Service service({.arguments = {"--admin-listen", "127.0.0.1:0"}});
  const auto url = service.daemon.metrics_url();
  const auto base = url.substr(0, url.size() - std::string("/metrics").size());
  auto& api = service.api;
  api.event(event_body("x"));
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
        "analytics_queue_limit_events 50000", "analytics_healthy 1",
        R"(analytics_events_total{outcome="bot"} 0)"}) {
    INFO(line);
    CHECK(reply.body.find(line + "\n") != std::string::npos);
  }
  for (const std::string begin : {"analytics_build_info{", "process_start_time_seconds ",
                                  "process_resident_memory_bytes ", "process_open_fds "}) {
    CHECK(reply.body.find("\n" + begin) != std::string::npos);
  }
  const auto judged = run({"promtool", "check", "metrics"}, {{}, reply.body});
  INFO(judged.err);
  CHECK(judged.exit == 0);
  CHECK(admin_api.send("POST", "/metrics").status == 405);
  CHECK(admin_api.send("GET", "/api/v1/sites").status == 404);
  CHECK(api.send("GET", "/metrics").status == 404);
}

TEST_CASE("log: lines for journald have a priority prefix and no time", "[contract][alone]") {
  DaemonProcess daemon(daemon_program());
  REQUIRE(daemon.stop(SIGTERM) == 0);
  Process process({"sh", "-c",
                   "JOURNAL_STREAM=$(stat -Lc %d:%i /dev/fd/2) exec \"$0\" --listen 127.0.0.1:0"
                   " --db \"$1\"",
                   daemon_program(), daemon.database().string()},
                  {});
  while (const auto line = process.read_error_line()) {
    if (line->starts_with("listening on ")) process.signal(SIGTERM);
    if (!line->starts_with("listening on ")) CHECK(line->starts_with("<"));
    if (line->find("stopped") != std::string::npos) {
      CHECK(*line == "<6>level=info msg=stopped");
      break;
    }
  }
  CHECK(process.wait().exit == 0);
}

TEST_CASE("health: it fails with the reason while the disk is nearly full",
          "[contract][alone][metrics]") {
  Service service({.site = "", .settings = "min_free_disk_bytes = 1099511627776\n"});
  auto& api = service.visitor;
  const auto reply = api.send("GET", "/api/health");
  CHECK(reply.status == 503);
  CHECK(body_of(reply)["status"] == "unavailable");
  CHECK(body_of(reply)["reason"] == "the disk is nearly full");
  // The daemon is still ready, because it still stores single events.
  CHECK(api.send("GET", "/api/health/ready").status == 200);
  CHECK(api.send("GET", "/api/health/live").status == 200);
}

TEST_CASE("daemon: the error names a file that is not a database", "[contract][alone]") {
  TempFolder folder;
  const auto file = (folder / "a.db").string();
  std::ofstream(file) << std::string(5'000, 'x');
  const auto refused = operate(file, {"--listen", "127.0.0.1:0"});
  CHECK(refused.exit == 5);
  CHECK(refused.err.find(file + ": ") != std::string::npos);
}

TEST_CASE("health: after a damaged page, health reports it and events are refused",
          "[contract][alone][metrics]") {
  Service service({.site = "demo.example"});
  auto& daemon = service.daemon;
  auto& api = service.api;
  constexpr char kEvent[] = R"({"n":"x","u":"https://demo.example/a","d":"demo.example"})";
  REQUIRE(daemon.stop(SIGTERM) == 0);
  // The test damages the root page of a table that is read only by the request for drops.
  const auto page =
      std::stoll(daemon.query("SELECT rootpage FROM sqlite_schema WHERE name = 'ingest_counters'"));
  std::fstream file(daemon.database(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp((page - 1) * 4'096);
  file << std::string(200, '\xff');
  file.close();
  daemon.start();
  CHECK(api.event(kEvent).status == 202);
  CHECK(api.send("GET", "/api/health/ready").status == 200);
  CHECK(code_of(api.send("GET", "/api/v1/sites/demo.example/drops")) == "503 database_damaged");
  CHECK(code_of(api.event(kEvent)) == "503 database_damaged");
  CHECK(code_of(api.bulk("")) == "503 database_damaged");
  CHECK(body_of(api.send("GET", "/api/health"))["reason"] == "the database is damaged");
  CHECK(api.send("GET", "/api/health/ready").status == 503);
  CHECK(api.send("GET", "/api/health/live").status == 200);
  CHECK(daemon.end().find("analyticsd check") != std::string::npos);
}

TEST_CASE("demo: the command serves a page with events and leaves no files behind",
          "[contract][alone]") {
  const TempFolder folder;
  Process demo({"sh", "-c", "exec \"$0\" demo >&2", daemon_program()},
               {{"TMPDIR=" + folder.path().string()}, ""});
  const std::string before = "The page:  ";
  std::string page;
  std::string said;
  for (auto line = demo.read_error_line(); line && page.empty(); line = demo.read_error_line()) {
    if (line->starts_with(before)) page = line->substr(before.size());
    said += *line + '\n';
  }
  INFO(said);
  REQUIRE_FALSE(page.empty());
  CHECK_FALSE(std::filesystem::is_empty(folder.path()));
  const auto shown = Api("", "").send("GET", page);
  CHECK(shown.status == 200);
  CHECK(shown.body.find("demo.example") != std::string::npos);
  CHECK(shown.body.find("Signed up") != std::string::npos);
  demo.signal(SIGINT);
  CHECK(demo.wait().exit == 0);
  CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace analytics::test::admin_test
