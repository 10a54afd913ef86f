#pragma once

#include <string>
#include <vector>

namespace analytics {

/// Returns the words as one line that a shell takes apart into the same words.
[[nodiscard]] std::string shell_words(const std::vector<std::string>& words);

}  // namespace analytics
