#pragma once

#include <string>
#include <vector>

namespace analytics {

/// Returns one row of CSV (RFC 4180) with its line end. Protects cells that a spreadsheet would
/// read as formulas, and makes control characters visible.
[[nodiscard]] std::string csv_row(const std::vector<std::string>& cells);

}  // namespace analytics
