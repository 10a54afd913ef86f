#pragma once

namespace analytics::test {

/// Returns the number of rounds of a randomised test: `few` in CI, or `many` if the variable
/// ANALYTICS_CRASH_FULL is set, as by tests/crash/run.sh. ANALYTICS_CRASH_ROUNDS lowers `few`
/// further.
[[nodiscard]] int rounds(int few, int many);

}  // namespace analytics::test
