#pragma once

#include <iosfwd>

namespace analytics::cli {

/// Runs the whole program and returns its exit code. Tests pass their own streams.
int run(int argc, const char* const* argv, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace analytics::cli
