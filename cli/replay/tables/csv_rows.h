#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/tables/row_sink.h"

namespace analytics::cli {

/// The rows of a table in a CSV file with a header, or in one with tabs and the escapes of
/// PostgreSQL, MySQL and ClickHouse.
class CsvRows {
 public:
  /// The most bytes of a row.
  static constexpr std::size_t kMostRow = 262'144;

  /// `table` is what the sink is told; `sink` must outlive this object.
  CsvRows(RowSink& sink, std::string table) : sink_(sink), table_(std::move(table)) {}
  /// The columns that a header line names; none: it is no header.
  [[nodiscard]] static std::vector<std::string> columns_of(std::string_view header);

  /// Takes the bytes behind those of the calls before. Returns what is wrong; empty: nothing.
  [[nodiscard]] std::string feed(std::string_view bytes);
  /// At the end of the bytes.
  [[nodiscard]] std::string finish();

 private:
  [[nodiscard]] std::string take_record();

  RowSink& sink_;
  std::string table_;
  std::string record_;  ///< The bytes of the row that has not ended.
  bool is_quoted_ = false;
  char delimiter_ = ',';
  std::vector<std::string> columns_;
  std::size_t rows_ = 0;
};

}  // namespace analytics::cli
