#include "daemon/ingest/bulk_totals.h"

#include "common/wire/event_outcome.h"

namespace analytics {

Result<BulkTotals> read_bulk_totals(std::string_view text, Days last, const BulkLimits& limits) {
  BulkTotals bulk;
  const auto use = [&](std::uint32_t number, const Result<std::string_view>& content) {
    auto total = content ? totals::parse_imported_total(*content, last)
                         : Result<totals::ImportedTotal>(fail(content.error()));
    if (total) {
      bulk.redacted += static_cast<std::int64_t>(total->redacted);
      bulk.totals.push_back(std::move(*total));
    } else {
      bulk.rejections.emplace_back(number, total.error());
    }
    return Status();
  };
  TRY(each_line(text, limits, use));
  return bulk;
}

BulkSummary summarise(const BulkTotals& bulk, store::RangeState range) {
  BulkSummary summary;
  summary.redacted = bulk.redacted;
  const auto lines = static_cast<std::int64_t>(bulk.totals.size());
  (range == store::RangeState::kElsewhere ? summary.duplicate : summary.accepted) = lines;
  for (const auto& [line, error] : bulk.rejections) {
    const auto code = error_info(error.code).name;
    ++summary.rejected;
    ++summary.rejected_by[code];
    summary.add_problem(line, code, error.message);
  }
  return summary;
}

}  // namespace analytics
