#include "daemon/call/auth.h"

#include "tests/support/catch.h"

namespace analytics::test::auth_test {

using api::Authenticator;

namespace {

constexpr UnixSeconds kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);
constexpr char kClient[] = "203.0.113.9";

/// Returns a snapshot of the registry with the key "right", and the key "old" that expires at kNow.
DirectorySnapshot directory() {
  store::Directory all;
  ApiKey key;
  key.id = 1;
  key.hash = sha256("right");
  all.keys.push_back(key);
  key.id = 2;
  key.hash = sha256("old");
  key.expires_at = kNow;
  all.keys.push_back(key);
  return DirectorySnapshot(std::move(all));
}

}  // namespace

TEST_CASE("auth: the token follows the word Bearer, which may be in any case", "[call]") {
  CHECK(api::bearer_token("Bearer abc") == "abc");
  CHECK(api::bearer_token("  bEARER   abc  ") == "abc");
  for (const auto* none : {"", "abc", "Basic abc", "Bearer", "Bearerabc"}) {
    CHECK(api::bearer_token(none).empty());
  }
}

TEST_CASE("auth: unknown, expired and malformed keys are refused alike", "[call]") {
  const auto snapshot = directory();
  Authenticator auth;
  const auto refusal = [&](const char* authorization) {
    const auto key = auth.authenticate(authorization, kClient, snapshot, kNow);
    REQUIRE(!key);
    CHECK(key.error().code == ErrorCode::kUnauthorized);
    return key.error().message;
  };
  const auto message = refusal("Bearer wrong");
  for (const auto* other : {"", "Bearer old", "Bearer ", "Basic right", "Bearer right right"}) {
    CHECK(refusal(other) == message);
  }
  const auto before = kNow - std::chrono::seconds(1);
  CHECK((*auth.authenticate("Bearer old", kClient, snapshot, before))->id == 2);
}

TEST_CASE("auth: a client that guesses must wait, and a right key is always accepted", "[call]") {
  const auto snapshot = directory();
  Authenticator auth;
  const auto code = [&](const char* authorization, const char* client, UnixMillis now) {
    const auto key = auth.authenticate(authorization, client, snapshot, now);
    return key ? std::nullopt : std::optional(key.error().code);
  };
  for (int i = 0; i < 60; ++i) {
    CHECK(code("Bearer wrong", kClient, kNow) == ErrorCode::kUnauthorized);
  }
  CHECK(code("Bearer wrong", kClient, kNow) == ErrorCode::kRateLimited);
  CHECK(!code("Bearer right", kClient, kNow));
  CHECK(code("", kClient, kNow) == ErrorCode::kUnauthorized);  // does not count as a wrong key
  CHECK(code("Bearer wrong", "203.0.113.10", kNow) == ErrorCode::kUnauthorized);
  CHECK(code("Bearer wrong", kClient, kNow + std::chrono::minutes(1)) == ErrorCode::kUnauthorized);
  // Addresses in the same IPv6 network share a limit.
  for (int i = 0; i < 60; ++i) {
    const auto address = "2001:db8::" + std::to_string(i + 1);
    CHECK(code("Bearer wrong", address.c_str(), kNow) == ErrorCode::kUnauthorized);
  }
  CHECK(code("Bearer wrong", "2001:db8::ffff", kNow) == ErrorCode::kRateLimited);
}

TEST_CASE("auth: each key's last use is reported once", "[call]") {
  const auto snapshot = directory();
  Authenticator auth;
  CHECK(auth.take_uses().empty());
  (void)auth.authenticate("Bearer right", kClient, snapshot, kNow);
  (void)auth.authenticate("Bearer right", kClient, snapshot, kNow + std::chrono::seconds(5));
  (void)auth.authenticate("Bearer wrong", kClient, snapshot, kNow);
  const auto uses = auth.take_uses();
  REQUIRE(uses.size() == 1);
  CHECK(uses.front().key == 1);
  CHECK(uses.front().at == kNow + std::chrono::seconds(5));
  CHECK(auth.take_uses().empty());
}

}  // namespace analytics::test::auth_test
