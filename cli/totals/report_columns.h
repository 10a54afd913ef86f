#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "common/day_sums.h"

namespace analytics::cli {

/// Columns of reports differ in what they have.
enum class ColumnKind {
  kDate,       ///< 2026-11-24, or 20261124 with an hour behind it.
  kDayNumber,  ///< Days since the beginning of the report.
  kDimension,
  kSourceMedium,  ///< "google / organic"
  kPropertyName,  ///< Of the values in a column of kPropertyValue.
  kPropertyValue,
  kCount,
  kBounceRate,      ///< Of the visits.
  kMeanSeconds,     ///< Of the visits.
  kEngagedSeconds,  ///< Of all visits, where their mean duration is not there.
  kEngagedVisits,   ///< Visits that are no bounces.
  kLabel,           ///< Matomo's: what it is, other columns say.
  kMetadata,        ///< Matomo's: `dimension` is its name.
  kNothing,         ///< Known, and not imported.
};

struct Column {
  ColumnKind kind = ColumnKind::kNothing;
  std::string_view dimension{};
  std::int64_t DaySums::*count = nullptr;
};

/// The column of that name, as Plausible, Google Analytics and Matomo call it, in any
/// case; none: it is not known.
[[nodiscard]] std::optional<Column> find_column(std::string_view name);

}  // namespace analytics::cli
