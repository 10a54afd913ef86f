#include "daemon/jobs/scheduler.h"

#include <atomic>
#include <future>

#include "tests/support/catch.h"

namespace analytics::test::scheduler_test {

TEST_CASE("scheduler: every job runs repeatedly, and no job after the stop",
          "[daemon][scheduler]") {
  std::atomic<int> first{0};
  std::atomic<int> second{0};
  {
    std::promise<void> enough;
    Scheduler scheduler({{std::chrono::milliseconds(1),
                          [&] {
                            if (++first == 3) enough.set_value();
                          }},
                         {std::chrono::hours(1), [&] { ++second; }}});
    enough.get_future().wait();
  }
  CHECK(first >= 3);
  CHECK(second == 1);
}

}  // namespace analytics::test::scheduler_test
