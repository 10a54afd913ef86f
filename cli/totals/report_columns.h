#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "common/wire/day_sums.h"

namespace analytics::cli {

/// The meaning of a report's column.
enum class ColumnKind {
  kDate,       ///< Day: 2026-11-24, or 20261124 with or without an hour.
  kDayNumber,  ///< Number of days since the start of the report.
  kDimension,
  kSourceMedium,  ///< Source and medium: "google / organic".
  kPropertyName,  ///< Name of the property in the kPropertyValue column.
  kPropertyValue,
  kCount,
  kBounceRate,      ///< Share of the visits that are bounces.
  kMeanSeconds,     ///< Mean duration of a visit.
  kEngagedSeconds,  ///< Total time of all visits; used if there is no mean duration.
  kEngagedVisits,   ///< Visits that are not bounces.
  kLabel,           ///< Matomo's label; other columns show what it describes.
  kMetadata,        ///< Matomo's metadata; `dimension` is its name.
  kNothing,         ///< A known column that is not imported.
};

struct Column {
  ColumnKind kind = ColumnKind::kNothing;
  /// For kDimension the dimension's name in the API; for kMetadata the name of the metadata.
  std::string_view dimension{};
  std::int64_t DaySums::*count = nullptr;  ///< The sum that a kCount column contains.
};

/// Returns the column that has this name in reports of Plausible, Google Analytics or Matomo,
/// compared without case; nullopt if the name is unknown.
[[nodiscard]] std::optional<Column> find_column(std::string_view name);

}  // namespace analytics::cli
