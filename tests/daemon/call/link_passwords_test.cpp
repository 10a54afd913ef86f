#include "daemon/call/link_passwords.h"

#include <atomic>
#include <future>

#include "common/run/secret.h"
#include "tests/support/catch.h"
#include "tests/support/fake_clock.h"

namespace analytics::test::link_passwords_test {

namespace {

using api::LinkPasswords;
using Verdict = LinkPasswords::Verdict;

constexpr UnixMillis kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);

struct Fixture {
  Verdict attempt(const std::string& client, const std::string& password) {
    std::promise<Verdict> verdict;
    REQUIRE(passwords.check(
        {1, "token", hash, client, password}, [&](Verdict found, std::chrono::seconds wait) {
          CHECK((wait > std::chrono::seconds(0)) == (found == Verdict::kTooMany));
          verdict.set_value(found);
        }));
    return verdict.get_future().get();
  }

  FakeClock clock{kNow};
  LinkPasswords passwords{clock};
  std::string hash = hash_password("right");
};

}  // namespace

TEST_CASE("passwords: a client that guesses locks out no other client", "[call]") {
  Fixture fixture;
  for (int i = 0; i < 10; ++i) CHECK(fixture.attempt("192.0.2.1", "wrong") == Verdict::kWrong);
  CHECK(fixture.attempt("192.0.2.1", "right") == Verdict::kTooMany);
  CHECK(fixture.attempt("192.0.2.2", "right") == Verdict::kRight);
  fixture.clock.advance(std::chrono::minutes(1));
  CHECK(fixture.attempt("192.0.2.1", "right") == Verdict::kRight);
}

TEST_CASE("passwords: many clients share a hundred tries a minute and have one more each",
          "[call]") {
  Fixture fixture;
  fixture.hash = "no hash, which takes no time";
  int compared = 0;
  for (int client = 0; client < 20; ++client) {
    for (int i = 0; i < 10; ++i) {
      compared += fixture.attempt(std::to_string(client), "wrong") == Verdict::kWrong ? 1 : 0;
    }
  }
  CHECK(compared == 110);
  fixture.clock.advance(std::chrono::minutes(1));
  CHECK(fixture.attempt("new", "wrong") == Verdict::kWrong);
}

TEST_CASE("passwords: clients in the same network share thirty tries a minute", "[call]") {
  Fixture fixture;
  fixture.hash = "no hash, which takes no time";
  int compared = 0;
  for (int client = 0; client < 12; ++client) {
    for (int i = 0; i < 10; ++i) {
      const auto verdict = fixture.attempt("2001:db8:1:" + std::to_string(client) + "::", "wrong");
      compared += verdict == Verdict::kWrong ? 1 : 0;
    }
  }
  CHECK(compared == 30);
  CHECK(fixture.attempt("2001:db8:2::", "wrong") == Verdict::kWrong);
}

TEST_CASE("passwords: one account's waiting hashes do not delay those of another", "[call]") {
  const FakeClock clock(kNow);
  LinkPasswords passwords(clock);
  std::promise<void> release;
  std::promise<int> others;
  std::atomic<int> done{0};
  REQUIRE(passwords.hash(1, "x", "", [&](const std::string&) { release.get_future().wait(); }));
  for (int i = 0; i < 20; ++i) {
    REQUIRE(passwords.hash(1, "x", "", [&](const std::string&) { ++done; }));
  }
  REQUIRE(passwords.hash(2, "x", "", [&](const std::string&) { others.set_value(done); }));
  release.set_value();
  CHECK(others.get_future().get() <= 1);
  passwords.stop();
}

}  // namespace analytics::test::link_passwords_test
