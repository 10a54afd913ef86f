#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace analytics {

/// Implements `analyticsd __complete …`, which shell completion calls: prints the candidates for
/// the word at the cursor. See common/args/completion.h.
void print_completions(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace analytics
