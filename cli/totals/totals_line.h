#pragma once

#include <string>

#include "common/wire/day_sums.h"

namespace analytics::cli {

/// A line of imported totals: the counts of a day for a single value of a dimension.
struct TotalsLine {
  std::string day;        ///< Day such as "2026-11-24".
  std::string dimension;  ///< Name such as "visit:source"; kTotalDimension for the day's total.
  /// Value of the dimension; empty for events without a value, and always for kTotalDimension.
  std::string value;
  DaySums sums;
};

/// Returns the line as POST …/imports/:id/totals accepts it.
[[nodiscard]] std::string to_json(const TotalsLine& line);

}  // namespace analytics::cli
