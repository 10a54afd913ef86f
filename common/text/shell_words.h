#pragma once

#include <string>
#include <vector>

namespace analytics {

/// Joins the words into a line, quoted so that a shell splits it into the same words.
[[nodiscard]] std::string shell_words(const std::vector<std::string>& words);

}  // namespace analytics
