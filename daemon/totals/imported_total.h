#pragma once

#include <string>
#include <string_view>

#include "common/run/result.h"
#include "common/text/local_time.h"
#include "daemon/totals/day_totals.h"

namespace analytics::totals {

/// The sums that another service counted on a day, for the whole site or a value of a dimension.
struct ImportedTotal {
  /// Name of the dimension, see stored_name(); kTotalDimension for the whole site.
  std::string dimension;
  Days day{};  ///< Day in the site's time zone.
  /// Value of the dimension; empty for visits without a value and for kTotalDimension.
  std::string value;
  DaySums sums;
  /// Number of redactions made in `dimension` and `value`; see common/text/personal_data.h.
  std::size_t redacted = 0;
  bool operator==(const ImportedTotal&) const = default;
};

/// Parses a line of imported totals, `{"day","dimension","value","visitors", …}`. `last`: the
/// latest day that has begun in any time zone. Errors: kMalformedBody, kInvalidParameter.
[[nodiscard]] Result<ImportedTotal> parse_imported_total(std::string_view line, Days last);

}  // namespace analytics::totals
