#pragma once

#include <string>
#include <vector>

#include "cli/commands/stats_overview.h"

namespace analytics::cli {

/// Returns a report as a whole HTML document for mail: tables with their own styles, without
/// scripts, pictures and anything that must be loaded, 600 pixels wide at most. Pure.
[[nodiscard]] std::string html_report(const std::vector<Overview>& sites);

}  // namespace analytics::cli
