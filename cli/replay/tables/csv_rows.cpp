#include "cli/replay/tables/csv_rows.h"

#include <algorithm>
#include <utility>

#include "cli/replay/formats/csv_fields.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr char kTab = '\t';  // in tab-separated tables, escapes replace quotes

}  // namespace

std::vector<std::string> CsvRows::columns_of(std::string_view header) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (header.starts_with(kByteOrderMark)) header.remove_prefix(kByteOrderMark.size());
  auto names = csv_fields(header, guess_delimiter(header));
  return names ? std::move(*names) : std::vector<std::string>();
}

std::string CsvRows::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto size = std::min(bytes.find('\n'), bytes.size());
    const auto piece = bytes.substr(0, size);
    record_ += piece;
    if (delimiter_ != kTab && std::count(piece.begin(), piece.end(), '"') % 2 != 0) {
      is_quoted_ = !is_quoted_;
    }
    if (record_.size() > kMaxRow) return "a row of the table " + table_ + " is over 256 KiB";
    if (size == bytes.size()) return {};
    bytes.remove_prefix(size + 1);
    if (is_quoted_) {
      record_ += '\n';
    } else if (auto problem = take_record(); !problem.empty()) {
      return problem;
    }
  }
  return {};
}

std::string CsvRows::finish() {
  if (is_quoted_) return "the table " + table_ + " ends in the middle of a row";
  return take_record();
}

std::string CsvRows::take_record() {
  auto record = std::exchange(record_, {});
  if (record.ends_with('\r')) record.pop_back();
  if (trim(record).empty()) return {};
  if (columns_.empty()) {
    delimiter_ = guess_delimiter(record);
    columns_ = columns_of(record);
    (void)sink_.begin(table_, columns_);
    return {};
  }
  ++rows_;
  const auto fields = delimiter_ == kTab ? escaped_fields(record) : csv_fields(record, delimiter_);
  if (!fields || fields->size() != columns_.size()) {
    // The row may contain personal data, so the message does not show it.
    return "row " + std::to_string(rows_) + " of the table " + table_ + " does not have its " +
           std::to_string(columns_.size()) + " columns";
  }
  TableValues row;
  for (const auto& field : *fields) {
    const bool is_null = field.empty() || field == "\\N" || field == "NULL";
    row.push_back(is_null ? std::nullopt : std::optional(field));
  }
  return sink_.take(std::move(row));
}

}  // namespace analytics::cli
