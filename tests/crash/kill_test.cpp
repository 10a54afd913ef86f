#include <atomic>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"

using namespace analytics::test;

namespace {

/// Rounds of a crash test: as many as CI has time for, more on request.
int rounds() {
  const char* text = std::getenv("ANALYTICS_CRASH_ROUNDS");
  return text == nullptr ? 20 : std::atoi(text);
}

/// Sends events with ids of their own on one connection until the daemon is gone.
void load(const std::string& url, const std::string& prefix, std::atomic<int>& acked_count,
          std::mutex& mutex, std::set<std::string>& acked) {
  Api api(url, "");
  for (int i = 0;; ++i) {
    const auto id = "/" + prefix + "-" + std::to_string(i);
    const auto reply = api.event(R"({"d":"a.de","n":"pageview","u":"https://a.de)" + id + "\"}");
    if (reply.status != 202) return;
    const std::scoped_lock lock(mutex);
    acked.insert(id);
    ++acked_count;
  }
}

}  // namespace

TEST_CASE("crash: kill -9 under load loses nothing acknowledged and doubles nothing", "[crash]") {
  DaemonProcess daemon(ANALYTICSD);
  Api(daemon.url(), daemon.make_key()).form("POST", "/api/v1/sites", "domain=a.de");
  std::set<std::string> acked;
  std::mutex mutex;
  for (int round = 0; round < rounds(); ++round) {
    std::atomic<int> count{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, name = std::to_string(round) + "-" + std::to_string(i)] {
        load(daemon.url(), name, count, mutex, acked);
      });
    }
    // Another moment each round: after a number of answers, not after a time.
    while (count < 20 + round * 37) std::this_thread::yield();
    daemon.stop(SIGKILL);
    for (auto& thread : threads) thread.join();
    daemon.start();
  }
  std::istringstream rows(daemon.query("SELECT path FROM event_text"));
  std::multiset<std::string> stored;
  for (std::string path; std::getline(rows, path);) stored.insert(path);
  std::size_t lost = 0;
  for (const auto& id : acked) lost += stored.contains(id) ? 0U : 1U;
  CHECK(acked.size() > 20);
  CHECK(lost == 0);
  CHECK(std::set<std::string>(stored.begin(), stored.end()).size() == stored.size());
  CHECK(daemon.query("PRAGMA integrity_check") == "ok");
}
