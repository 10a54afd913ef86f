#include "daemon/call/request_log.h"

#include "tests/support/catch.h"

namespace analytics::test::request_log_test {

TEST_CASE("request log: strangers cause a hundred lines a minute, and the rest is counted",
          "[call]") {
  api::LineLimit limit;
  std::chrono::steady_clock::time_point now{};
  for (std::size_t i = 0; i < api::LineLimit::kMostLines; ++i) CHECK(limit.take(now) == 0);
  now += std::chrono::seconds(59);
  for (int i = 0; i < 7; ++i) CHECK(!limit.take(now));
  now += std::chrono::seconds(1);
  CHECK(limit.take(now) == 7);
  CHECK(limit.take(now) == 0);
}

}  // namespace analytics::test::request_log_test
