#include <csignal>
#include <random>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/ledger.h"
#include "tests/support/service.h"

namespace analytics::test::kill_test {

namespace {

struct Fixture : Service {
  void check() {
    const auto verdict = ledger.judge(daemon);
    CHECK(verdict.lost == 0);
    CHECK(verdict.strange == 0);
    CHECK(verdict.twice == 0);
    CHECK(verdict.intact);
    CHECK(verdict.visits);
  }
  /// Waits until `more` further events are acknowledged.
  void await(int more) {
    const int wanted = ledger.acknowledged() + more;
    while (ledger.acknowledged() < wanted) std::this_thread::yield();
  }

  Ledger ledger;
};

}  // namespace

TEST_CASE("crash: kill -9 under load loses no acknowledged event and duplicates none", "[crash]") {
  Fixture fixture;
  std::mt19937 random(7);
  for (int round = 0; round < rounds(20, 500); ++round) {
    Load load(fixture.ledger, fixture.daemon.url(), fixture.key, std::to_string(round));
    fixture.await(1);
    // Each round kills the daemon at a different random moment.
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 300'000 / 3));
    fixture.daemon.stop(SIGKILL);
    load.join();
    fixture.daemon.start();
  }
  CHECK(fixture.ledger.acknowledged() >= rounds(20, 500));
  fixture.check();
}

TEST_CASE("crash: a kill during recovery loses no acknowledged event", "[crash]") {
  Fixture fixture;
  std::mt19937 random(8);
  for (int round = 0; round < rounds(5, 100); ++round) {
    Load load(fixture.ledger, fixture.daemon.url(), fixture.key, std::to_string(round));
    fixture.await(20);
    fixture.daemon.stop(SIGKILL);
    load.join();
    for (int again = 0; again < 3; ++again) {
      fixture.daemon.launch();
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
      fixture.daemon.stop(SIGKILL);
    }
    fixture.daemon.start();
  }
  fixture.check();
}

TEST_CASE("crash: a kill at each failpoint loses no acknowledged event", "[crash]") {
  for (const std::string point :
       {"before_begin=kill@40", "mid_batch=kill@40", "before_commit=kill@40",
        "after_commit=kill@40", "before_reply=kill@40", "in_visits=kill"}) {
    INFO(point);
    Fixture fixture;
    // These events must survive even if the machine is so slow that the daemon is killed before it
    // answers the load.
    fixture.ledger.send_events(fixture.daemon.url(), "before", 20);
    CHECK(fixture.ledger.acknowledged() == 20);
    fixture.daemon.stop(SIGTERM);
    fixture.daemon.start(point);
    {
      Load load(fixture.ledger, fixture.daemon.url(), fixture.key, "x");
      CHECK(fixture.daemon.wait() == 128 + SIGKILL);
    }
    fixture.daemon.start();
    fixture.check();
  }
}

TEST_CASE("crash: a kill in a checkpoint loses no acknowledged event", "[crash]") {
  Fixture fixture;
  fixture.daemon.stop(SIGTERM);
  fixture.daemon.start("in_checkpoint=kill");
  {
    Load load(fixture.ledger, fixture.daemon.url(), fixture.key, "x");
    CHECK(fixture.daemon.wait() == 128 + SIGKILL);
  }
  fixture.daemon.start();
  fixture.check();
}

TEST_CASE("crash: a kill in a migration, a purge or a salt's destruction is harmless", "[crash]") {
  Fixture fixture;
  const auto fresh = fixture.folder / "m.db";
  const std::vector<std::string> command{"keys", "create", "--init", "--account", "x"};
  const auto made = operate(fresh, command, {{"ANALYTICS_FAILPOINTS=in_migration=kill"}, {}});
  CHECK(made.exit == 128 + SIGKILL);
  CHECK(operate(fresh, command).exit == 0);
  fixture.ledger.send_events(fixture.daemon.url(), "x", 50);
  fixture.daemon.stop(SIGTERM);
  fixture.daemon.start("in_purge=kill");
  fixture.api.form("DELETE", "/api/v1/sites/a.de", "");
  CHECK(fixture.daemon.wait() == 128 + SIGKILL);
  fixture.daemon.start();
  CHECK(fixture.api.form("POST", "/api/v1/sites", "domain=a.de").status == 200);
  while (fixture.daemon.query("SELECT count(*) FROM purges") != "0") std::this_thread::yield();
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "0");
  fixture.daemon.stop(SIGTERM);
  fixture.daemon.launch("in_salt_rotation=kill");
  CHECK(fixture.daemon.wait() == 128 + SIGKILL);
  fixture.daemon.start();
  CHECK(fixture.daemon.query("PRAGMA integrity_check") == "ok");
}

TEST_CASE("crash: a daemon under load answers every accepted event after SIGTERM, and exits with 0",
          "[crash]") {
  Fixture fixture;
  for (int round = 0; round < rounds(10, 100); ++round) {
    Load load(fixture.ledger, fixture.daemon.url(), fixture.key, std::to_string(round));
    fixture.await(30);
    CHECK(fixture.daemon.stop(SIGTERM) == 0);
    load.join();
    fixture.daemon.start();
  }
  fixture.check();
}

TEST_CASE("crash: the tests detect an event that was acknowledged but not stored", "[crash]") {
  Fixture fixture;
  fixture.daemon.stop(SIGTERM);
  // The daemon answers, and then waits in the batch for a file that never comes, so a kill loses
  // the event.
  fixture.daemon.start("reply_first=on,mid_batch=wait:" + (fixture.folder / "never").string());
  {
    Load load(fixture.ledger, fixture.daemon.url(), "", "x");
    fixture.await(1);
    fixture.daemon.stop(SIGKILL);
  }
  fixture.daemon.start();
  CHECK(fixture.ledger.judge(fixture.daemon).lost > 0);
}

}  // namespace analytics::test::kill_test
