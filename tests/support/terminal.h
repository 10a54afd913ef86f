#pragma once

#include <string>
#include <vector>

#include "tests/support/process.h"

namespace analytics::test {

/// Runs a command with a terminal of that width as its stdin, stdout and stderr. `out` has
/// everything that it wrote there.
[[nodiscard]] Process::Finished run_on_terminal(const std::vector<std::string>& arguments,
                                                const Process::Options& options,
                                                unsigned short columns);

}  // namespace analytics::test
