#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/event_generator.h"
#include "tests/support/ledger.h"

using namespace analytics;
using namespace analytics::test;

TEST_CASE("crash: replay and daemon both killed, the same command ends with exact counts",
          "[crash]") {
  constexpr int kRecords = 3'000;
  std::mt19937 random(5);
  for (int round = 0; round < rounds(5, 100); ++round) {
    DaemonProcess daemon(ANALYTICSD, {"--listen", "127.0.0.1:0"});
    const auto key = daemon.make_key();
    Api(daemon.url(), key).form("POST", "/api/v1/sites", "domain=demo.example");
    const TempFolder folder;
    {
      GeneratorOptions options;
      options.events = kRecords;
      EventGenerator generator(options);
      std::ofstream file(folder / "events.ndjson");
      for (int i = 0; i < kRecords; ++i) file << to_json(generator.next()) << '\n';
    }
    const std::vector<std::string> command = {ANALYTICS, "replay",
                                              "-q",      "-o",
                                              "json",    (folder / "events.ndjson").string(),
                                              "--batch", round % 2 == 0 ? "off" : "40"};
    const auto environment = [&] {
      return std::vector<std::string>{"ANALYTICS_URL=" + daemon.url(), "ANALYTICS_API_KEY=" + key,
                                      "ANALYTICS_RETRIES=0"};
    };
    for (int kill = 0; kill < 2; ++kill) {
      Process replay(command, {environment(), {}});
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 200'000));
      if (kill == 0) daemon.stop(SIGKILL);
      replay.signal(SIGKILL);
      replay.wait();
      if (kill == 0) daemon.start();
    }
    const auto last = run(command, {environment(), {}});
    CHECK(last.exit == 0);
    const auto summary = nlohmann::json::parse(last.out, nullptr, false);
    CHECK(summary["accepted"].get<int>() + summary["duplicate"].get<int>() == kRecords);
    CHECK(daemon.query("SELECT count(*) FROM events") == std::to_string(kRecords));
  }
}
