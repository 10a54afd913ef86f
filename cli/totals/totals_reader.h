#pragma once

#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/totals/totals_line.h"

namespace analytics::cli {

/// A record of a report is one of these.
struct ReportRow {
  std::vector<TotalsLine> lines;  ///< Empty: a row of which nothing is imported.
};
struct NoReportRow {};  ///< Blank, a comment, a header.
/// A row that was added to others, whose sum comes once they are all read. `before`: what rows
/// before it have come to.
struct AddedReportRow {
  std::vector<TotalsLine> before;
};
/// A row that cannot be read, and why.
struct BadReportRow {
  std::string why;
};
using ReadReportRow = std::variant<ReportRow, NoReportRow, AddedReportRow, BadReportRow>;

/// Reads the records of one report, in their order.
class TotalsReader {
 public:
  virtual ~TotalsReader() = default;
  [[nodiscard]] virtual ReadReportRow read(std::string_view record) = 0;
  /// True if the record has its end in this line.
  [[nodiscard]] virtual bool is_whole(std::string_view) const { return true; }
  /// At the end: what the last rows have come to.
  [[nodiscard]] virtual std::vector<TotalsLine> finish() { return {}; }
  /// The headers of tables that were passed over, with the reason.
  [[nodiscard]] virtual std::set<std::string> passed_over() const { return {}; }
};

}  // namespace analytics::cli
