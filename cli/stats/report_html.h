#pragma once

#include <string>
#include <vector>

#include "cli/stats/stats_overview.h"

namespace analytics::cli {

/// Returns a report as a complete HTML document for mail: tables with inline styles, at most 600
/// pixels wide, without scripts, pictures or other external content.
[[nodiscard]] std::string html_report(const std::vector<Overview>& sites);

}  // namespace analytics::cli
