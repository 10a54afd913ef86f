#pragma once

#include <string>
#include <vector>

namespace analytics::cli {

/// Returns the words that `stats --by` accepts, such as "page", "source", "hour". The option
/// accepts props:KEY, too.
[[nodiscard]] std::vector<std::string> stats_words();

/// Returns the dimension for a word: "event:page" for "page", "event:props:plan" for "props:plan".
/// Returns the name of a dimension unchanged.
[[nodiscard]] std::string property_of(const std::string& word);

/// Returns the metrics that `stats --metrics` accepts.
[[nodiscard]] std::vector<std::string> stats_metrics();

}  // namespace analytics::cli
