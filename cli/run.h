#pragma once

#include <iosfwd>

namespace analytics::cli {

/// The whole program; the exit code. Streams are passed so that tests can look at them.
int run(int argc, const char* const* argv, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace analytics::cli
