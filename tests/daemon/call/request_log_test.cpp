#include "daemon/call/request_log.h"

#include "tests/support/catch.h"

namespace analytics::test::request_log_test {

TEST_CASE("request log: strangers cause at most a hundred lines a minute, and others are counted",
          "[call]") {
  api::LineLimit limit;
  std::chrono::steady_clock::time_point now{};
  for (std::size_t i = 0; i < api::LineLimit::kMaxLines; ++i) CHECK(limit.take(now) == 0);
  now += std::chrono::seconds(59);
  for (int i = 0; i < 7; ++i) CHECK(!limit.take(now));
  now += std::chrono::seconds(1);
  CHECK(limit.take(now) == 7);
  CHECK(limit.take(now) == 0);
}

TEST_CASE("request log: a client that guesses keys or never ends a body is a stranger", "[call]") {
  api::Route keyed{http::Method::kPost, "/x", Scope::kSitesWrite, api::BodyLimit::kProvisioning,
                   nullptr};
  for (const int status : {400, 401, 408, 413, 429, 503}) {
    CHECK(api::may_be_of_stranger(&keyed, status));
  }
  for (const int status : {200, 204, 403, 404, 409, 422}) {
    CHECK_FALSE(api::may_be_of_stranger(&keyed, status));
  }
  keyed.access.reset();
  CHECK(api::may_be_of_stranger(&keyed, 404));
  CHECK(api::may_be_of_stranger(nullptr, 404));
  CHECK_FALSE(api::may_be_of_stranger(&keyed, 202));
}

}  // namespace analytics::test::request_log_test
