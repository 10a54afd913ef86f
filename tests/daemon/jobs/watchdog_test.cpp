#include "daemon/jobs/watchdog.h"

#include "tests/support/catch.h"

namespace analytics::test::watchdog_test {

TEST_CASE("watchdog: it is alive once every thread has answered, and then asks again", "[jobs]") {
  std::vector<std::function<void()>> answers;
  const Watchdog::Ping ping = [&](std::function<void()> answer) {
    answers.push_back(std::move(answer));
  };
  Watchdog watchdog({ping, ping});
  CHECK(watchdog.is_alive());
  REQUIRE(answers.size() == 2);
  CHECK_FALSE(watchdog.is_alive());
  answers[0]();
  CHECK_FALSE(watchdog.is_alive());  // the other thread hangs
  CHECK(answers.size() == 2);
  answers[1]();
  CHECK(watchdog.is_alive());
  CHECK(answers.size() == 4);
}

}  // namespace analytics::test::watchdog_test
