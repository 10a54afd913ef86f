#include "cli/replay/progress/accounting.h"

#include "cli/replay/send/rate_limiter.h"
#include "common/io/backoff.h"
#include "tests/support/catch.h"

namespace analytics::test::accounting_test {

using namespace analytics::cli;

TEST_CASE("accounts: a record counts once, however many domains it names", "[replay]") {
  Accounts accounts;
  const auto answer = [&](std::string_view dropped, std::size_t domains) {
    const auto fate = fate_of_answer(dropped, domains);
    count(accounts, fate.fate, fate.reason);
  };
  answer("", 1);
  answer("a=unknown_site", 2);
  answer("a=duplicate", 1);
  answer("a=duplicate, b=bot", 2);
  CHECK(accounts.accepted == 2);
  CHECK(accounts.duplicate == 1);
  CHECK(accounts.dropped == 1);
  CHECK(accounts.dropped_by.at("bot") == 1);
}

TEST_CASE("rate limiter: an empty bucket refuses, and refills with time", "[replay]") {
  const RateLimiter::TimePoint start{};
  RateLimiter limiter(10, start);
  CHECK(limiter.take(start).count() == 0);
  CHECK(limiter.take(start).count() > 0);
  CHECK(limiter.take(start + std::chrono::milliseconds(101)).count() == 0);
}

TEST_CASE("backoff: the wait grows, is bounded, and honours Retry-After", "[replay]") {
  using std::chrono::milliseconds;
  CHECK(backoff(0, 1.0, milliseconds(0)) == milliseconds(250));
  CHECK(backoff(3, 1.0, milliseconds(0)) == milliseconds(2'000));
  CHECK(backoff(60, 1.0, milliseconds(0)) == milliseconds(30'000));
  CHECK(backoff(0, 0.0, retry_after("3")) == milliseconds(3'000));
  CHECK(retry_after("soon") == milliseconds(0));
}

}  // namespace analytics::test::accounting_test
