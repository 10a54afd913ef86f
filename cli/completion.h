#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace analytics::cli {

/// Implements `analytics __complete WHAT …`; see common/args/completion.h. Completes sites, goals,
/// imports, exclusions and links with the names that the server lists, if it answers within a
/// second.
void print_completions(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace analytics::cli
