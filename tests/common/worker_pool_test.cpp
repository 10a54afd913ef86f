#include "common/worker_pool.h"

#include <atomic>
#include <future>

#include "tests/support/catch.h"

using namespace analytics;

TEST_CASE("worker_pool: a full queue refuses, and the end finishes what is queued",
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
