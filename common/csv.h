#pragma once

#include <string>
#include <vector>

namespace analytics {

/// One row of CSV (RFC 4180) with its line end. No cell is taken for a formula by a spreadsheet,
/// and control characters are shown.
[[nodiscard]] std::string csv_row(const std::vector<std::string>& cells);

}  // namespace analytics
