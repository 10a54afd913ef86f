#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/tables/row_sink.h"

namespace analytics::cli {

/// Parses a table with a header and passes its rows to a sink. Reads CSV, or tab-separated lines
/// with the escapes of PostgreSQL, MySQL and ClickHouse.
class CsvRows {
 public:
  /// Maximum size of a row in bytes.
  static constexpr std::size_t kMaxRow = 262'144;

  /// `table` is the name passed to the sink; `sink` must outlive this object.
  CsvRows(RowSink& sink, std::string table) : sink_(sink), table_(std::move(table)) {}
  /// Returns the columns that a header line names; empty if the line is not a header.
  [[nodiscard]] static std::vector<std::string> columns_of(std::string_view header);

  /// Reads the next bytes of the file. Returns an error message, or an empty text.
  [[nodiscard]] std::string feed(std::string_view bytes);
  /// Reads the last row, at the end of the file. Returns an error message, or an empty text.
  [[nodiscard]] std::string finish();

 private:
  [[nodiscard]] std::string take_record();

  RowSink& sink_;
  std::string table_;
  std::string record_;      ///< Bytes of the current row so far.
  bool is_quoted_ = false;  ///< True inside quotes, where a line end belongs to the row.
  char delimiter_ = ',';
  std::vector<std::string> columns_;
  std::size_t rows_ = 0;
};

}  // namespace analytics::cli
