#pragma once

namespace analytics::test {

/// Rounds of a test of chances: `few` in CI, on request as many as the variable says, which only
/// tests/crash/run.sh sets.
[[nodiscard]] int rounds(int few, int many);

}  // namespace analytics::test
