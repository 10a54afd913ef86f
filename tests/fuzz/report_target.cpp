// Fuzzes reports of daily totals: whatever the text is, the server accepts the lines made from it.
#include "cli/totals/report_reader.h"
#include "common/text/text.h"
#include "daemon/totals/imported_total.h"
#include "tests/fuzz/require.h"

using namespace analytics;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr Days kLast = std::chrono::sys_days(std::chrono::year(2100) / 1 / 1);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)totals::parse_imported_total(text, kLast);
  cli::ReportReader reader;
  for (const auto record : split(text, '\n')) {
    const auto made = reader.read(record);
    const auto* row = std::get_if<cli::ReportRow>(&made);
    if (row == nullptr) continue;
    for (const auto& line : row->lines) {
      const auto total = totals::parse_imported_total(cli::to_json(line), kLast);
      const bool is_refused_by_rule = !total && total.error().code == ErrorCode::kInvalidParameter;
      REQUIRE_PROPERTY(total || is_refused_by_rule);
      REQUIRE_PROPERTY(!total || total->sums.pageviews == line.sums.pageviews);
    }
  }
  return 0;
}
