#pragma once

#include <cstdint>
#include <string>

#include "cli/totals/report_reader.h"
#include "cli/totals/report_text.h"
#include "cli/totals/totals_reader.h"

namespace analytics::cli {

/// The records of a report with their places: lines, or several where a quoted field goes on.
class ReportRecords {
 public:
  struct Record {
    std::string text;
    std::uint64_t from = 0;  ///< Bytes of the converted text, `to` behind its line end.
    std::uint64_t to = 0;
    std::uint64_t line = 0;  ///< The number of its first line.
  };
  /// Both must outlive this object.
  ReportRecords(ReportText& text, const TotalsReader& reader) : text_(text), reader_(reader) {}

  /// False at the end, or if the rest cannot be read, as the text says then.
  [[nodiscard]] bool next(Record& record);

 private:
  ReportText& text_;
  const TotalsReader& reader_;
  std::uint64_t number_ = 0;
};

/// Reads a text for the columns that divide its tables. Errors: as of ReportText.
[[nodiscard]] Result<ReportReader::Dividers> find_dividers(const ReportPlace& place);

/// Stands for the content of a text: 32 hexadecimal digits. Errors: as of ReportText.
[[nodiscard]] Result<std::string> content_id_of(const ReportPlace& place);

}  // namespace analytics::cli
