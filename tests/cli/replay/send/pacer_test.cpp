#include "cli/replay/send/pacer.h"

#include "tests/support/catch.h"

namespace analytics::test::pacer_test {

using namespace analytics::cli;

TEST_CASE("pacer: records wait for their time, at most for the maximum gap", "[replay]") {
  using std::chrono::milliseconds;
  const cli::Pacer::TimePoint start{};
  const auto at = [](int millis) { return UnixMillis(milliseconds(millis)); };
  cli::Pacer pacer({2.0, milliseconds(300)});
  CHECK(pacer.wait(at(1'000), start).count() == 0);
  CHECK(pacer.wait(at(1'400), start) == milliseconds(200));
  CHECK(pacer.wait(at(1'400), start + milliseconds(200)).count() == 0);
  // Late records are sent at once.
  CHECK(pacer.wait(at(900), start + milliseconds(200)).count() == 0);
  CHECK(pacer.wait(at(9'000), start + milliseconds(200)) == milliseconds(300));
  CHECK(pacer.wait(std::nullopt, start).count() == 0);
  cli::Pacer none({});
  CHECK(none.wait(at(1'000'000), start).count() == 0);
}

}  // namespace analytics::test::pacer_test
