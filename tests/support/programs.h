#pragma once

#include <cstddef>
#include <string>

namespace analytics::test {

/// Paths of the programs under test: those in `bin` beside the program that runs the tests, or
/// those in the folder $ANALYTICS_PROGRAMS, so that the tests of one build can drive programs of
/// another.
[[nodiscard]] std::string daemon_program();
[[nodiscard]] std::string cli_program();

/// Path of the HTTP server for outside suites.
[[nodiscard]] std::string httptest_program();

/// How many times the memory of a plain build the programs may use, because sanitizers need more:
/// $ANALYTICS_MEMORY_FACTOR, or 1.
[[nodiscard]] std::size_t memory_factor();

}  // namespace analytics::test
