#include "cli/replay/send/rate_limiter.h"

#include "common/io/backoff.h"
#include "tests/support/catch.h"

namespace analytics::test::rate_limiter_test {

using namespace analytics::cli;
using namespace std::chrono_literals;

TEST_CASE("rate_limiter: a bucket refuses when it is empty, and refills with time",
          "[cli][rate_limiter]") {
  const auto start = RateLimiter::TimePoint{};
  RateLimiter limiter(100, start);
  CHECK(limiter.take(start).count() == 0);
  CHECK(limiter.take(start) > 9ms);
  CHECK(limiter.take(start) <= 11ms);
  CHECK(limiter.take(start + 11ms).count() == 0);
  CHECK(limiter.take(start + 11ms) > 0ns);
  int went = 0;
  while (limiter.take(start + 1h).count() == 0) ++went;
  CHECK(went == 10);  // a burst has at most the tokens of 0.1 seconds
}

TEST_CASE("rate_limiter: a bucket without a limit never waits", "[cli][rate_limiter]") {
  RateLimiter limiter(0, {});
  for (int i = 0; i < 1'000; ++i) CHECK(limiter.take({}).count() == 0);
}

TEST_CASE("backoff: the wait grows to 30 s, and is never below Retry-After", "[cli][backoff]") {
  CHECK(backoff(1, 1.0, 0ms) == 500ms);
  CHECK(backoff(3, 0.5, 0ms) == 1000ms);
  CHECK(backoff(60, 1.0, 0ms) == 30s);
  CHECK(backoff(1, 0.0, 7s) == 7s);
  CHECK(retry_after(" 12 ") == 12s);
  CHECK(retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0ms);
  CHECK(retry_after("-5") == 0ms);
}

}  // namespace analytics::test::rate_limiter_test
