#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/context.h"

/// Turns what a person types after `analytics stats` into what the Stats API v2 takes.
namespace analytics::cli {

/// Returns `date_range`: a period of its own, two days, or one that `date` is the end of. Errors:
/// kUsage.
[[nodiscard]] Outcome<nlohmann::ordered_json> date_range_of(const StatsOptions& options);

/// Returns `filters`: "page==/blog/**" and "source!=Google|Bing", all of which must hold. In a
/// value, a backslash takes what `|` or a backslash means otherwise. Errors: kUsage.
[[nodiscard]] Outcome<nlohmann::ordered_json> filters_of(const std::vector<std::string>& filters);

/// Returns `include.comparisons` of previous, year or FROM,TO. Errors: kUsage.
[[nodiscard]] Outcome<nlohmann::ordered_json> comparison_of(const std::string& compare);

}  // namespace analytics::cli
