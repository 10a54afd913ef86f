#pragma once

#include <cstddef>
#include <string>

namespace analytics::test {

/// Paths of the programs under test: those that were built with the tests, or those in the folder
/// $ANALYTICS_PROGRAMS, so that the tests of one build can drive the programs of another.
[[nodiscard]] std::string daemon_program();
[[nodiscard]] std::string cli_program();

/// How many times the memory of a plain build the programs may take: sanitizers need several.
/// $ANALYTICS_MEMORY_FACTOR, or what the tests were built with.
[[nodiscard]] std::size_t memory_factor();

}  // namespace analytics::test
