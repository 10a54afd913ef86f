#include "tests/support/rounds.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace analytics::test {

int rounds(int few, int many) {
  if (std::getenv("ANALYTICS_CRASH_FULL") != nullptr) return many;
  const char* part = std::getenv("ANALYTICS_ROUNDS_PART");
  return part == nullptr ? few : std::max(1, few / std::atoi(part));
}

std::vector<unsigned> seeds(int few, int many) {
  const char* first = std::getenv("ANALYTICS_FIRST_SEED");
  std::vector<unsigned> seeds(static_cast<std::size_t>(rounds(few, many)));
  std::iota(seeds.begin(), seeds.end(),
            first == nullptr ? 1U : static_cast<unsigned>(std::atoi(first)));
  return seeds;
}

}  // namespace analytics::test
