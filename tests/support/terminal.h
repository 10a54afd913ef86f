#pragma once

#include <string>
#include <vector>

#include "tests/support/process.h"

namespace analytics::test {

/// Runs a command with a terminal of `columns` columns as its stdin, stdout and stderr. `out` of
/// the result has everything that the command wrote.
[[nodiscard]] Process::Finished run_on_terminal(const std::vector<std::string>& arguments,
                                                const Process::Options& options,
                                                unsigned short columns);

}  // namespace analytics::test
