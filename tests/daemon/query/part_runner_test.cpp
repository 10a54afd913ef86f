#include "daemon/query/part_runner.h"

#include <atomic>
#include <latch>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include "tests/support/catch.h"

namespace analytics::test::part_runner_test {

using query::PartId;

namespace {

std::vector<PartId> parts(std::size_t count) {
  std::vector<PartId> ids(count);
  std::iota(ids.begin(), ids.end(), 1);
  return ids;
}

/// A task whose run() and finish() call functions of the test.
struct Task final : query::PartTask {
  std::function<void()> on_run = [] {};
  std::function<void()> on_finish = [] {};
  void run() override { on_run(); }
  void finish() override { on_finish(); }
};

}  // namespace

TEST_CASE("parts: a query uses idle cores and releases them", "[parts]") {
  query::Cores cores(3);
  const auto own = cores.use();
  query::PartRunner runner(cores);
  std::latch all_are_here(3);  // reached only if three threads run at the same time
  std::set<std::thread::id> threads;
  std::vector<PartId> finished;
  runner.run(parts(9), [&](PartId part) {
    auto task = std::make_unique<Task>();
    threads.insert(std::this_thread::get_id());
    if (part <= 3) task->on_run = [&] { all_are_here.arrive_and_wait(); };
    task->on_finish = [&finished, part] { finished.push_back(part); };
    return task;
  });
  CHECK(threads.size() == 3);
  CHECK(std::set(finished.begin(), finished.end()).size() == 9);
  CHECK(finished.size() == 9);
  const auto second = cores.borrow();
  const auto third = cores.borrow();
  CHECK(third.has_value());
  CHECK_FALSE(cores.borrow().has_value());
}

TEST_CASE("parts: while other queries use all cores, a query reads its parts alone", "[parts]") {
  query::Cores cores(2);
  const auto own = cores.use();
  const auto other = cores.use();
  const auto another = cores.use();
  CHECK(cores.are_short());
  query::PartRunner runner(cores);
  std::vector<PartId> finished;
  runner.run(parts(8), [&](PartId part) {
    auto task = std::make_unique<Task>();
    // No lock, because only one thread calls it.
    task->on_run = [&finished, part] { finished.push_back(part); };
    return task;
  });
  CHECK(finished == parts(8));
}

TEST_CASE("parts: a failure ends the query, wherever it happens", "[parts]") {
  query::Cores cores(2);
  query::PartRunner runner(cores);
  const auto fails = [](bool now) {
    if (now) throw std::runtime_error("damaged");
  };
  for (const int where : {0, 1, 2}) {
    CAPTURE(where);
    std::atomic<int> ran{0};
    const auto make = [&](PartId part) {
      fails(where == 0 && part == 4);
      auto task = std::make_unique<Task>();
      task->on_run = [&, part] {
        ++ran;
        fails(where == 1 && part == 4);
      };
      task->on_finish = [&, part] { fails(where == 2 && part == 4); };
      return task;
    };
    CHECK_THROWS_WITH(runner.run(parts(1'000), make), "damaged");
    if (where == 0) CHECK(ran < 4);  // the other parts are skipped
  }
  int ran = 0;
  runner.run(parts(1), [&](PartId) {  // the runner still works
    ++ran;
    return std::make_unique<Task>();
  });
  CHECK(ran == 1);
}

}  // namespace analytics::test::part_runner_test
