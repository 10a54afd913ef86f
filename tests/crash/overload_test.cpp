#include <atomic>
#include <csignal>
#include <iostream>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/rounds.h"
#include "tests/support/service.h"

namespace analytics::test::overload_test {

namespace {

struct Answers {
  std::atomic<int> stored{0};
  std::atomic<int> refused{0};
  std::atomic<int> other{0};
  std::atomic<int> broken{0};
  std::atomic<int> sent{0};
};

/// Sends events as fast as the server answers, until it has refused `refusals` of them. Counts the
/// answers.
void press(const std::string& url, int refusals, Answers& answers) {
  Api api(url, "");
  while (answers.refused < refusals && answers.broken + answers.other == 0) {
    ++answers.sent;
    const auto reply = api.event(event_body("x"));
    if (reply.failure != HttpReply::Failure::kNone) {
      ++answers.broken;
    } else if (reply.status == 202) {
      ++answers.stored;
    } else if (reply.status == 503) {
      ++answers.refused;
      if (reply.header("Retry-After").empty()) ++answers.other;
    } else {
      ++answers.other;
    }
  }
}

}  // namespace

// The daemon accepts only about 2,000 events per second and has a short queue, which is therefore
// always full.
TEST_CASE("overload: excess events are refused at once, and every answer is true", "[crash]") {
  Service service({.settings = "[queue]\nmax_events = 20\n"});
  auto& daemon = service.daemon;
  daemon.stop(SIGTERM);
  daemon.start("mid_batch=sleep:500");
  Answers answers;
  {
    const int refusals = rounds(5'000, 100'000);
    std::vector<std::jthread> clients;
    for (int i = 0; i < 64; ++i) {
      clients.emplace_back([&] { press(daemon.url(), refusals, answers); });
    }
  }
  CHECK(answers.refused > 0);
  CHECK(answers.stored > 0);
  CHECK(answers.other == 0);
  CHECK(answers.sent == answers.stored + answers.refused + answers.broken);
  CHECK(daemon.query("SELECT count(*) FROM events") == std::to_string(answers.stored));
  std::cout << "overload: " << answers.sent << " sent, " << answers.stored << " stored, "
            << answers.refused << " refused, " << answers.broken << " broken\n";
}

}  // namespace analytics::test::overload_test
