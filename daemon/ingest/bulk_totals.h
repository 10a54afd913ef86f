#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/ingest/bulk.h"
#include "daemon/totals/imported_total.h"

namespace analytics {

/// The lines of a request that imports totals.
struct BulkTotals {
  std::vector<totals::ImportedTotal> totals;
  std::int64_t redacted = 0;  ///< Replacements in values: totals::ImportedTotal::redacted.
  std::vector<std::pair<std::uint32_t, Error>> rejections;  ///< Line number, from 1, and its error.
};

/// Reads NDJSON with one total per line. `last`: see totals::parse_imported_total(). Errors:
/// kBodyTooLarge if there are too many lines.
[[nodiscard]] Result<BulkTotals> read_bulk_totals(std::string_view text, Days last,
                                                  const BulkLimits& limits);

[[nodiscard]] BulkSummary summarise(const BulkTotals& bulk, store::RangeState range);

}  // namespace analytics
