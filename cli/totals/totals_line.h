#pragma once

#include <string>

#include "common/day_sums.h"

namespace analytics::cli {

/// A line of imported totals: what was counted on a day, of one value of a dimension.
struct TotalsLine {
  std::string day;        ///< "2026-11-24"
  std::string dimension;  ///< "visit:source"; kTotalDimension: of all.
  std::string value;      ///< Empty: none, and always so for kTotalDimension.
  DaySums sums;
};

/// As POST …/imports/:id/totals takes it.
[[nodiscard]] std::string to_json(const TotalsLine& line);

}  // namespace analytics::cli
