#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace analytics::cli {

/// Implements `analytics __complete WHAT …`; see common/args/completion.h. Names of a site's
/// objects come from the server, if it answers within a second.
void print_completions(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace analytics::cli
