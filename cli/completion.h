#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace analytics::cli {

/// Implements `analytics __complete WHAT …`; see common/completion.h. Names of what a site has come
/// from the server, if it answers soon.
void print_completions(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace analytics::cli
