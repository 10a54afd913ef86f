#include "cli/replay/progress/byte_ranges.h"

#include "tests/support/catch.h"

namespace analytics::test::byte_ranges_test {

using namespace analytics::cli;

TEST_CASE("byte ranges: touching ranges merge, and the set knows which bytes it contains",
          "[replay]") {
  cli::ByteRanges ranges;
  for (const auto& [from, to] : {std::pair{10, 20}, {30, 40}, {20, 25}, {24, 31}, {50, 50}}) {
    ranges.add({static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to)});
  }
  CHECK(ranges.size() == 1);
  CHECK(ranges.contains(cli::ByteRange{10, 40}));
  CHECK_FALSE(ranges.contains(cli::ByteRange{9, 11}));
  CHECK_FALSE(ranges.contains(cli::ByteRange{39, 41}));
  CHECK(ranges.around(40) == cli::ByteRange{40, 40});
  CHECK(ranges.around(39) == cli::ByteRange{10, 40});
}

}  // namespace analytics::test::byte_ranges_test
