#pragma once

#include <string>
#include <vector>

namespace analytics::cli {

/// Returns the words that `stats --by` takes: "page", "source", "hour", "day", "month". props:KEY
/// is taken too.
[[nodiscard]] std::vector<std::string> stats_words();

/// Returns the dimension of a word: "event:page" for "page", "event:props:plan" for "props:plan".
/// Names of dimensions stay as they are.
[[nodiscard]] std::string property_of(const std::string& word);

/// Returns the metrics that `stats --metrics` takes.
[[nodiscard]] std::vector<std::string> stats_metrics();

}  // namespace analytics::cli
