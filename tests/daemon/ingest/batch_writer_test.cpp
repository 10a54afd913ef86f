#include "daemon/ingest/batch_writer.h"

#include <atomic>
#include <future>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/writer_parts.h"

namespace analytics::test::batch_writer_test {

namespace {

/// A writer on a fake store whose next batches end as the test requires.
struct Fixture : WriterParts {
  explicit Fixture(BatchWriterConfig config = {})
      : writer(make_writer(config, [this] { lost = true; })) {}

  std::future<Result<std::vector<EventOutcome>>> submit(const std::string& name) {
    auto answer = std::make_shared<std::promise<Result<std::vector<EventOutcome>>>>();
    Submission submission;
    submission.events.emplace_back().name = name;
    submission.done = [answer](Result<std::span<const EventOutcome>> stored) {
      if (!stored) return answer->set_value(fail(stored.error()));
      answer->set_value(std::vector<EventOutcome>(stored->begin(), stored->end()));
    };
    auto arrived = answer->get_future();
    if (!writer.submit(submission)) answer->set_value(fail(ErrorCode::kRateLimited, "refused"));
    return arrived;
  }

  std::atomic<bool> lost{false};
  BatchWriter writer;
};

}  // namespace

TEST_CASE("batch_writer: waiting events form a batch, and each gets its own answer",
          "[daemon][writer]") {
  Fixture fixture;
  fixture.events.hold();
  auto first = fixture.submit("a");
  fixture.events.wait_until_held();
  auto second = fixture.submit("b");
  auto third = fixture.submit("c");
  fixture.events.release();
  CHECK(first.get());
  CHECK(second.get());
  CHECK(third.get()->size() == 1);
  CHECK(fixture.events.batches() == std::vector<std::vector<std::string>>{{"a"}, {"b", "c"}});
}

TEST_CASE("batch_writer: an event that fails does not make others fail", "[daemon][writer]") {
  Fixture fixture;
  fixture.events.refuse("bad", ErrorCode::kInternal);
  fixture.events.hold();
  auto first = fixture.submit("a");
  fixture.events.wait_until_held();
  auto good = fixture.submit("good");
  auto bad = fixture.submit("bad");
  fixture.events.release();
  CHECK(first.get());
  CHECK(good.get());
  CHECK(bad.get().error().code == ErrorCode::kInternal);
}

TEST_CASE("batch_writer: a full disk fails the batch and health until a batch succeeds",
          "[daemon][writer]") {
  Fixture fixture;
  fixture.events.refuse("full", ErrorCode::kOverloaded);
  CHECK(fixture.submit("full").get().error().code == ErrorCode::kOverloaded);
  CHECK(!fixture.writer.healthy());
  CHECK(fixture.submit("a").get());
  CHECK(fixture.writer.healthy());
}

TEST_CASE("batch_writer: a full queue refuses events and keeps nothing of them",
          "[daemon][writer]") {
  Fixture fixture({.max_queued_events = 1});
  fixture.events.hold();
  auto first = fixture.submit("a");
  fixture.events.wait_until_held();
  auto second = fixture.submit("b");
  CHECK(fixture.submit("c").get().error().code == ErrorCode::kRateLimited);
  fixture.events.release();
  CHECK(first.get());
  CHECK(second.get());
}

TEST_CASE("batch_writer: tasks and other threads may use it while and after it stops",
          "[daemon][writer]") {
  Fixture fixture;
  std::atomic<bool> stopping{false};
  const auto post_meanwhile = [&] {
    while (!stopping) std::this_thread::yield();
    for (int i = 0; i < 1'000; ++i) (void)fixture.writer.post([] {});
  };
  REQUIRE(fixture.writer.post(post_meanwhile));
  std::thread other(post_meanwhile);
  stopping = true;
  fixture.writer.stop();
  other.join();
  CHECK(fixture.submit("late").get().error().code == ErrorCode::kRateLimited);
}

TEST_CASE("batch_writer: accounts take turns with bulk requests", "[daemon][writer]") {
  Fixture fixture;
  fixture.events.hold();
  auto first = fixture.submit("a");
  fixture.events.wait_until_held();
  std::promise<void> all_done;
  int waiting = 5;
  const auto submit_bulk = [&](AccountId account, const std::string& name) {
    BulkSubmission submission;
    submission.account = account;
    submission.events.emplace_back().name = name;
    submission.done = [&](const Result<store::BulkResult>&) {
      if (--waiting == 0) all_done.set_value();
    };
    REQUIRE(fixture.writer.submit(std::move(submission)));
  };
  for (const auto* name : {"1a", "1b", "1c"}) submit_bulk(1, name);
  submit_bulk(3, "3");
  submit_bulk(2, "2");
  fixture.events.release();
  all_done.get_future().wait();
  CHECK(fixture.events.batches() ==
        std::vector<std::vector<std::string>>{{"a"}, {"1a"}, {"2"}, {"3"}, {"1b"}, {"1c"}});
}

TEST_CASE("batch_writer: waiting bulk requests do not delay the stop", "[daemon][writer]") {
  Fixture fixture;
  fixture.events.hold();
  auto first = fixture.submit("a");
  fixture.events.wait_until_held();
  std::vector<std::future<ErrorCode>> refusals;
  for (int i = 0; i < 3; ++i) {
    auto refused = std::make_shared<std::promise<ErrorCode>>();
    refusals.push_back(refused->get_future());
    BulkSubmission submission;
    submission.events.emplace_back().name = "bulk";
    submission.done = [refused](const Result<store::BulkResult>& stored) {
      refused->set_value(stored ? ErrorCode::kInternal : stored.error().code);
    };
    REQUIRE(fixture.writer.submit(std::move(submission)));
  }
  fixture.writer.stop_waiting();
  fixture.events.release();
  CHECK(first.get());
  int refused = 0;  // the writer may have begun one of them before it was told to stop
  for (auto& refusal : refusals) refused += refusal.get() == ErrorCode::kOverloaded ? 1 : 0;
  CHECK(refused >= 2);
  CHECK_FALSE(fixture.writer.submit(BulkSubmission()));
}

TEST_CASE("batch_writer: events do not wait for all tasks that were queued before",
          "[daemon][writer]") {
  Fixture fixture;
  fixture.events.hold();
  auto first = fixture.submit("a");
  fixture.events.wait_until_held();
  std::promise<bool> is_stored;
  std::future<Result<std::vector<EventOutcome>>> event;
  REQUIRE(fixture.writer.post([&] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(25);
    event = fixture.submit("b");
    while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
  }));
  REQUIRE(fixture.writer.post([&] {
    is_stored.set_value(event.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
  }));
  fixture.events.release();
  CHECK(is_stored.get_future().get());
}

TEST_CASE("batch_writer: tasks that wait for another turn count in the queue's limit",
          "[daemon][writer]") {
  Fixture fixture({.max_queued_tasks = 2});
  fixture.events.hold();
  auto first = fixture.submit("a");
  fixture.events.wait_until_held();
  std::promise<std::pair<bool, bool>> are_taken;
  REQUIRE(fixture.writer.post([&] {
    const bool is_first_taken = fixture.writer.post([] {});
    are_taken.set_value({is_first_taken, fixture.writer.post([] {})});
  }));
  REQUIRE(fixture.writer.post([] {}));
  fixture.events.release();
  CHECK(are_taken.get_future().get() == std::pair(true, false));
}

TEST_CASE("batch_writer: after a failed sync no event is answered", "[daemon][writer]") {
  auto fixture = std::make_unique<Fixture>();
  fixture->events.lose_sync_at("last");
  auto answer = fixture->submit("last");
  while (!fixture->lost) std::this_thread::yield();
  fixture.reset();
  CHECK_THROWS_AS(answer.get(), std::future_error);  // the promise was destroyed without an answer
}

TEST_CASE("batch_writer: a site over its limit per minute is throttled, others are not",
          "[daemon][writer]") {
  SiteThrottle throttle;
  const UnixSeconds minute = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);
  const auto late = minute + std::chrono::seconds(59);
  CHECK(throttle.room(1, 2, minute) == 2);
  throttle.count(1);
  CHECK(throttle.room(1, 2, late) == 1);
  throttle.count(1);
  CHECK(throttle.room(1, 2, late) == 0);
  CHECK(throttle.room(2, 2, late) == 2);
  CHECK(throttle.room(1, 2, minute + std::chrono::seconds(60)) == 2);
}

}  // namespace analytics::test::batch_writer_test
