#include "common/run/worker_pool.h"

#include <atomic>
#include <future>
#include <thread>

#include "tests/support/catch.h"

namespace analytics::test::worker_pool_test {

namespace {

/// Makes work that blocks its thread until release() is called.
class SlowWork {
 public:
  WorkerPool::Work work() {
    return [this](std::size_t) {
      ++begun;
      released_.wait();
    };
  }
  void release() { release_.set_value(); }

  std::atomic<int> begun{0};

 private:
  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
};

}  // namespace

TEST_CASE("worker_pool: a lane never uses all threads or more than half of the queue",
          "[common][worker_pool]") {
  SlowWork slow;
  std::promise<void> other_done;
  {
    WorkerPool pool(2, 8);
    for (int i = 0; i < 4; ++i) REQUIRE(pool.submit(slow.work(), {.part = 7}));
    while (slow.begun == 0) std::this_thread::yield();
    while (pool.submit(slow.work(), {.part = 7})) {
    }
    REQUIRE(pool.submit([&](std::size_t) { other_done.set_value(); }, {.part = 8}));
    other_done.get_future().wait();  // this work runs before the earlier work of part 7
    CHECK(slow.begun == 1);
    slow.release();
  }
  CHECK(slow.begun >= 4);
}

TEST_CASE("worker_pool: owners take turns, then their parts do, and the oldest work comes first",
          "[common][worker_pool]") {
  std::string order;
  {
    std::promise<void> release;
    std::promise<void> started;
    WorkerPool pool(1, 64);
    REQUIRE(pool.submit([&](std::size_t) {
      started.set_value();
      release.get_future().wait();
    }));
    started.get_future().wait();
    const auto add = [&](char name, WorkLane lane) {
      REQUIRE(pool.submit([&order, name](std::size_t) { order += name; }, lane));
    };
    for (int i = 0; i < 3; ++i) add('a', {.owner = 1, .part = 1});
    for (int i = 0; i < 2; ++i) add('b', {.owner = 1, .part = 2});
    for (int i = 0; i < 2; ++i) add('c', {.owner = 2, .part = 3});
    release.set_value();
  }
  CHECK(order == "acbcaba");
}

TEST_CASE("worker_pool: an owner with many parts leaves a thread to others",
          "[common][worker_pool]") {
  SlowWork slow;
  std::promise<void> other_done;
  WorkerPool pool(3, 64);
  for (int part = 1; part < 9; ++part) {
    REQUIRE(pool.submit(slow.work(), {.owner = 1, .part = part}));
  }
  REQUIRE(pool.submit([&](std::size_t) { other_done.set_value(); }, {.owner = 2, .part = 9}));
  other_done.get_future().wait();
  CHECK(slow.begun <= 2);
  slow.release();
}

TEST_CASE("worker_pool: owners that fill the queue leave places to others",
          "[common][worker_pool]") {
  SlowWork slow;
  WorkerPool pool(1, 64);
  REQUIRE(pool.submit(slow.work()));
  while (slow.begun == 0) std::this_thread::yield();
  std::vector<int> places;
  for (int owner = 1; owner < 6; ++owner) {
    int taken = 0;
    while (pool.submit(slow.work(), {.owner = owner, .part = owner})) ++taken;
    places.push_back(taken);
  }
  CHECK(places == std::vector<int>{32, 16, 8, 4, 2});
  slow.release();
}

TEST_CASE("worker_pool: a serial part uses one thread, and its owner's other parts run",
          "[common][worker_pool]") {
  SlowWork slow;
  std::promise<void> other_done;
  WorkerPool pool(4, 64);
  const auto submit_serial = [&] {
    return pool.submit(slow.work(), {.owner = 1, .part = 1, .is_serial = true});
  };
  REQUIRE(submit_serial());
  while (slow.begun == 0) std::this_thread::yield();
  for (int i = 0; i < 16; ++i) REQUIRE(submit_serial());
  CHECK_FALSE(submit_serial());  // the part already has its maximum of waiting work
  REQUIRE(pool.submit([&](std::size_t) { other_done.set_value(); }, {.owner = 1, .part = 2}));
  other_done.get_future().wait();
  CHECK(slow.begun <= 1);
  slow.release();
}

TEST_CASE("worker_pool: a full queue refuses work, and stopping it finishes queued work",
          "[common][worker_pool]") {
  std::atomic<int> done{0};
  std::atomic<std::size_t> number{9};
  {
    std::promise<void> started;
    std::promise<void> release;
    WorkerPool pool(1, 2);
    REQUIRE(pool.submit([&](std::size_t worker) {
      number = worker;
      started.set_value();
      release.get_future().wait();
      ++done;
    }));
    started.get_future().wait();
    CHECK(pool.submit([&](std::size_t) { ++done; }));
    CHECK(pool.submit([&](std::size_t) { ++done; }));
    CHECK(!pool.submit([&](std::size_t) { ++done; }));
    release.set_value();
  }
  CHECK(done == 3);
  CHECK(number == 0);
}

TEST_CASE("worker_pool: a stopped pool refuses work, also from its own threads",
          "[common][worker_pool]") {
  WorkerPool pool(1, 8);
  std::atomic<bool> stopping{false};
  REQUIRE(pool.submit([&](std::size_t) {
    while (!stopping) std::this_thread::yield();
    for (int i = 0; i < 1'000; ++i) (void)pool.submit([](std::size_t) {});
  }));
  stopping = true;
  pool.stop();
  CHECK(!pool.submit([](std::size_t) {}));
}

TEST_CASE("worker_pool: a spare thread serves only an owner without running work",
          "[common][worker_pool]") {
  SlowWork slow;
  std::promise<void> third_done;
  std::promise<void> part_done;
  {
    WorkerPool pool(2, 64, 2);
    for (int owner = 1; owner <= 2; ++owner) {
      for (int i = 0; i < 3; ++i)
        REQUIRE(pool.submit(slow.work(), {.owner = owner, .part = i + 1}));
    }
    while (slow.begun < 2) std::this_thread::yield();
    REQUIRE(pool.submit([&](std::size_t) { third_done.set_value(); }, {.owner = 3, .part = 9}));
    third_done.get_future().wait();
    REQUIRE(pool.submit([&](std::size_t) { part_done.set_value(); }, {.part = 7}));
    part_done.get_future().wait();
    CHECK(slow.begun == 2);  // spare threads do not serve an owner that has a running thread
    slow.release();
  }
  CHECK(slow.begun == 6);
}

}  // namespace analytics::test::worker_pool_test
