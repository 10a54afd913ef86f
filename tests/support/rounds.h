#pragma once

#include <vector>

namespace analytics::test {

/// Returns the number of rounds of a test: `few` by default, or `many` if the variable
/// ANALYTICS_CRASH_FULL is set, as by tests/crash/run.sh. ANALYTICS_ROUNDS_PART divides `few` for
/// sanitizers, which find memory errors in fewer rounds.
[[nodiscard]] int rounds(int few, int many);
[[nodiscard]] inline int rounds(int count) { return rounds(count, count); }

/// Returns the seeds of a random test, as many as rounds(few, many). The first is 1 or the number
/// in the variable ANALYTICS_FIRST_SEED.
[[nodiscard]] std::vector<unsigned> seeds(int few, int many);

}  // namespace analytics::test
