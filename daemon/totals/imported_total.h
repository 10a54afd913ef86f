#pragma once

#include <string>
#include <string_view>

#include "common/local_time.h"
#include "common/result.h"
#include "daemon/totals/day_totals.h"

namespace analytics::totals {

/// What another service has counted on one day, in all or of one value of a dimension.
struct ImportedTotal {
  std::string dimension;  ///< A name under which totals are stored.
  Days day{};             ///< Of the site's zone.
  std::string value;      ///< Empty: the events have none; always so for kTotalDimension.
  DaySums sums;
  bool operator==(const ImportedTotal&) const = default;
};

/// Reads a line of imported totals, `{"day","dimension","value","visitors", …}`. `last`: the latest
/// day that has begun anywhere. Errors: kMalformedBody, kInvalidParameter.
[[nodiscard]] Result<ImportedTotal> parse_imported_total(std::string_view line, Days last);

}  // namespace analytics::totals
