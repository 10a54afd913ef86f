#include <csignal>
#include <mutex>
#include <random>
#include <thread>

#include "tests/cli/replay_service.h"
#include "tests/support/faulty_proxy.h"
#include "tests/support/rounds.h"

namespace analytics::test::replay_test {

namespace {

using Fault = FaultyProxy::Fault;

/// Chooses a random fault for about one in `one_of` POST requests.
class RandomFaults {
 public:
  RandomFaults(unsigned seed, unsigned one_of) : random_(seed), one_of_(one_of) {}
  Fault operator()(std::string_view method) {
    const std::scoped_lock lock(mutex_);
    constexpr Fault kFaults[] = {Fault::kLoseReply, Fault::kLoseRequest, Fault::kRefuse429,
                                 Fault::kRefuse503, Fault::kSlow};
    if (method != "POST" || random_() % one_of_ != 0) return Fault::kNone;
    return kFaults[random_() % std::size(kFaults)];
  }

 private:
  std::mutex mutex_;
  std::mt19937 random_;
  const unsigned one_of_;
};

}  // namespace

TEST_CASE("crash: every record is stored once despite kills, lost replies, 429 and 503",
          "[crash]") {
  constexpr int kRecords = 2'000;
  std::mt19937 random(5);
  for (int round = 0; round < rounds(20, 500); ++round) {
    INFO("round " << round);
    ReplayService service;
    auto& daemon = service.daemon;
    const auto file = service.write("events.ndjson", generate(kRecords));
    const bool single = round % 2 == 0;
    RandomFaults faults(static_cast<unsigned>(round), single ? 60 : 3);
    FaultyProxy proxy(daemon.url(), [&](auto method, auto) { return faults(method); });
    const auto command = ReplayService::command({file, "--batch", single ? "off" : "100"});
    const Process::Options options{{"ANALYTICS_URL=" + proxy.url(),
                                    "ANALYTICS_API_KEY=" + service.key, "ANALYTICS_RETRIES=30"},
                                   {}};
    for (int kill = 0; kill < 2; ++kill) {
      Process replay(command, options);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 300'000));
      if (kill == 0) daemon.stop(SIGKILL);
      replay.signal(random() % 4 == 0 ? SIGTERM : SIGKILL);
      if (kill == 0) {
        daemon.start();
        proxy.set_server(daemon.url());
      }
      replay.wait();
    }
    const auto last = run(command, options);
    INFO(last.err);
    CHECK(last.exit == 0);
    const auto summary = nlohmann::json::parse(last.out, nullptr, false);
    REQUIRE(summary.is_object());
    CHECK(summary["read"] == kRecords);
    CHECK(summary["accepted"].get<int>() + summary["duplicate"].get<int>() == kRecords);
    CHECK(daemon.query("SELECT count(*) FROM events") == std::to_string(kRecords));
  }
}

}  // namespace analytics::test::replay_test
