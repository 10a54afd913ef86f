// Addresses, User-Agents and keys must not appear in any file. The tests search every byte.
#include <csignal>

#include "common/fs.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"

namespace analytics::test::privacy_test {

TEST_CASE("privacy: no address, User-Agent or key in any file, log or metric", "[contract]") {
  const TempFolder folder;
  run({"sh", "-c", "echo 'log_level = \"debug\"' >" + (folder / "c.toml").string()});
  DaemonProcess daemon(daemon_program(),
                       {"--config", (folder / "c.toml").string(), "--admin-listen", "0"});
  const auto metrics_url = daemon.metrics_url();
  const std::string address = "203.0.113.77";
  const std::string browser = "CanaryBrowser/7.7";
  const auto key = daemon.make_key();
  Api api(daemon.url(), key);
  api.form("POST", "/api/v1/sites", "domain=a.de");
  const std::string event =
      R"({"d":"a.de","n":"visible-name","u":"https://a.de/?secret=canary-query"})";
  for (const auto& body : {event, std::string("broken"), std::string(R"({"d":"none.de"})")}) {
    api.event(body, {{"X-Forwarded-For", address}, {"User-Agent", browser}});
  }
  const auto line = R"({"d":"a.de","n":"x","u":"https://a.de/","ip":")" + address +
                    R"(","user_agent":")" + browser + "\"}";
  api.send("POST", "/api/v1/events", line, "application/x-ndjson");
  api.send("GET", "/api/v1/sites/a.de?token=canary-query");
  const auto metrics =
      Api(metrics_url.substr(0, metrics_url.rfind('/')), "").send("GET", "/metrics").body;
  std::string files;
  for (const auto& entry : std::filesystem::directory_iterator(daemon.database().parent_path())) {
    if (entry.is_regular_file()) files += read_file(entry.path()).value_or("");
  }
  CHECK(files.find("visible-name") != std::string::npos);  // proves that the search works
  const auto log = daemon.end();
  CHECK(log.find("/api/v1/events") != std::string::npos);
  for (const auto& canary : {address, browser, key, std::string("canary-query")}) {
    INFO(canary);
    CHECK(files.find(canary) == std::string::npos);
    CHECK(log.find(canary) == std::string::npos);
    CHECK(metrics.find(canary) == std::string::npos);
  }
}

}  // namespace analytics::test::privacy_test
