#pragma once

#include <cstddef>
#include <string>

namespace analytics::test {

/// Returns the path of a program under test: in `bin` next to the test program, or in the folder
/// $ANALYTICS_PROGRAMS, so that a build's tests can run the programs of another build.
[[nodiscard]] std::string daemon_program();
[[nodiscard]] std::string cli_program();

/// Returns the absolute path of a file in this checkout; `file` is relative to its root.
[[nodiscard]] std::string in_checkout(const std::string& file);

/// Returns the path of the HTTP server for third-party test suites.
[[nodiscard]] std::string httptest_program();

/// Returns the factor by which a memory limit of a plain build must be multiplied:
/// $ANALYTICS_MEMORY_FACTOR, or 1. Programs with sanitizers need more.
[[nodiscard]] std::size_t memory_factor();

}  // namespace analytics::test
