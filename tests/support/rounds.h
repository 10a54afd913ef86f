#pragma once

namespace analytics::test {

/// Returns the number of rounds of a test: `few` in CI, or `many` if the variable
/// ANALYTICS_CRASH_FULL is set, as by tests/crash/run.sh. ANALYTICS_ROUNDS_PART divides `few`: a
/// sanitizer looks for wrong use of memory, and need not see each answer compared.
[[nodiscard]] int rounds(int few, int many);
[[nodiscard]] inline int rounds(int count) { return rounds(count, count); }

}  // namespace analytics::test
