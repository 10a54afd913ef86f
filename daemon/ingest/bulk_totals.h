#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/ingest/bulk.h"
#include "daemon/totals/imported_total.h"

namespace analytics {

/// The parsed lines of a request that imports daily totals.
struct BulkTotals {
  std::vector<totals::ImportedTotal> totals;
  std::int64_t redacted = 0;  ///< Number of redactions of personal data.
  /// For each rejected line: its number, from 1, and the error.
  std::vector<std::pair<std::uint32_t, Error>> rejections;
};

/// Parses NDJSON with one daily total per line. `last`: the latest day that has begun in any time
/// zone. Errors: kBodyTooLarge if there are too many lines.
[[nodiscard]] Result<BulkTotals> read_bulk_totals(std::string_view text, Days last,
                                                  const BulkLimits& limits);

/// Counts the lines by result. `range`: whether the store already had the import range.
[[nodiscard]] BulkSummary summarise(const BulkTotals& bulk, store::RangeState range);

}  // namespace analytics
