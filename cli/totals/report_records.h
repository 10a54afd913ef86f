#pragma once

#include <cstdint>
#include <string>

#include "cli/totals/report_reader.h"
#include "cli/totals/report_text.h"
#include "cli/totals/totals_reader.h"

namespace analytics::cli {

/// Reads the records of a report with their positions. A record is one line, or several if a quoted
/// field contains line ends.
class ReportRecords {
 public:
  struct Record {
    std::string text;
    std::uint64_t from = 0;  ///< Start in the converted text; `to` is after the line end.
    std::uint64_t to = 0;
    std::uint64_t line = 0;  ///< Number of the record's first line.
  };
  /// `text` and `reader` must outlive this object.
  ReportRecords(ReportText& text, const TotalsReader& reader) : text_(text), reader_(reader) {}

  /// Reads the next record. Returns false at the end, or if the rest cannot be read; the text's
  /// error() is then set.
  [[nodiscard]] bool next(Record& record);

 private:
  ReportText& text_;
  const TotalsReader& reader_;
  std::uint64_t number_ = 0;
};

/// Reads a text to find the unknown columns that divide the counts of its tables. Errors: as for
/// ReportText.
[[nodiscard]] Result<ReportReader::Dividers> find_dividers(const ReportPlace& place);

/// Returns a hash of a text's content: 32 hexadecimal digits. Errors: as for ReportText.
[[nodiscard]] Result<std::string> content_id_of(const ReportPlace& place);

}  // namespace analytics::cli
