#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/frame/context.h"
#include "cli/stats/stats_commands.h"

/// Converts options of `analytics stats` to members of a Stats API v2 query.
namespace analytics::cli {

/// Returns `date_range`: the name of a period, two days, or the days of a period as of `date`.
/// Errors: kUsage.
[[nodiscard]] Outcome<nlohmann::ordered_json> date_range_of(const StatsOptions& options);

/// Returns `filters` from notations such as "page==/blog/**" and "source!=Google|Bing"; all must
/// match. In a value, a backslash escapes `|` and a backslash. Errors: kUsage.
[[nodiscard]] Outcome<nlohmann::ordered_json> filters_of(const std::vector<std::string>& filters);

/// Returns `include.comparisons` for previous, year or FROM,TO. Errors: kUsage.
[[nodiscard]] Outcome<nlohmann::ordered_json> comparison_of(const std::string& compare);

}  // namespace analytics::cli
