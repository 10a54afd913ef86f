#pragma once

#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/totals/totals_line.h"

namespace analytics::cli {

/// Result of reading a row that is imported by itself.
struct ReportRow {
  std::vector<TotalsLine> lines;  ///< Totals of the row; empty if nothing of the row is imported.
};
struct NoReportRow {};  ///< Result of reading a blank line, a comment or a header.
/// Result of reading a row that was added to a sum, which is returned after its last row. `before`
/// contains the finished sums of earlier rows.
struct AddedReportRow {
  std::vector<TotalsLine> before;
};
/// Result of reading an invalid row, with the reason.
struct BadReportRow {
  std::string why;
};
using ReadReportRow = std::variant<ReportRow, NoReportRow, AddedReportRow, BadReportRow>;

/// Reads the records of a report in order.
class TotalsReader {
 public:
  virtual ~TotalsReader() = default;
  /// Reads the next record.
  [[nodiscard]] virtual ReadReportRow read(std::string_view record) = 0;
  /// Returns true if the record is complete, instead of continuing on the next line.
  [[nodiscard]] virtual bool is_whole(std::string_view) const { return true; }
  /// Returns the sums that read() has not returned. Call it at the end.
  [[nodiscard]] virtual std::vector<TotalsLine> finish() { return {}; }
  /// Returns the headers of tables that were passed over, each with the reason.
  [[nodiscard]] virtual std::set<std::string> passed_over() const { return {}; }
};

}  // namespace analytics::cli
