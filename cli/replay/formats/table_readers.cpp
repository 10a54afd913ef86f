#include "cli/replay/formats/table_readers.h"

#include <algorithm>

#include "cli/replay/formats/csv_fields.h"
#include "common/json.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

std::optional<std::string> value_at(const json::Object& object, std::string_view column) {
  const auto* value = object.find(column);
  if (value != nullptr) return value->is_scalar() ? std::optional(value->text) : std::nullopt;
  const auto dot = column.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto* outer = object.find(column.substr(0, dot));
  if (outer == nullptr) return std::nullopt;
  for (const auto& [key, inner] : outer->members) {
    if (key == column.substr(dot + 1) && inner.is_scalar()) return inner.text;
  }
  return std::nullopt;
}

}  // namespace

ReadLine CsvReader::read(std::string_view record) {
  const bool is_first = columns_.empty();
  if (is_first) delimiter_ = guess_delimiter(record);
  auto fields = csv_fields(record, delimiter_);
  if (!fields) return Error{ErrorCode::kMalformedBody, "The record's quotes are unbalanced.", {}};
  if (is_first) {
    header_ = record;
    columns_ = std::move(*fields);
    return NoRecord{};
  }
  if (record == header_) return NoRecord{};  // of another file that was appended
  if (fields->size() != columns_.size()) {
    return Error{ErrorCode::kMalformedBody,
                 "The record has " + std::to_string(fields->size()) + " fields, the header " +
                     std::to_string(columns_.size()) + ".",
                 {}};
  }
  return map_.read([&](std::string_view column) -> std::optional<std::string> {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) return std::nullopt;
    return (*fields)[static_cast<std::size_t>(found - columns_.begin())];
  });
}

bool CsvReader::is_whole(std::string_view record) const { return is_whole_csv(record); }

void CsvReader::skip(std::string_view record) {
  if (columns_.empty()) (void)read(record);  // the header
}

bool CsvReader::is_sound(std::string_view record) const {
  return csv_fields(record, delimiter_).has_value();
}

std::string CsvReader::missing_column(std::string_view header, const ReaderOptions& options) {
  const auto names = csv_fields(header, guess_delimiter(header));
  for (const auto& [field, column] : options.map) {
    if (!names || std::find(names->begin(), names->end(), column) == names->end()) return column;
  }
  return {};
}

bool CsvReader::is_header(std::string_view line, const ReaderOptions& options) {
  const auto names = csv_fields(line, guess_delimiter(line));
  if (!names || names->size() < 2) return false;
  return FieldMap(options).fits([&](std::string_view column) -> std::optional<std::string> {
    if (std::find(names->begin(), names->end(), column) == names->end()) return std::nullopt;
    return std::string(column);
  });
}

ReadLine JsonReader::read(std::string_view line) {
  const auto object = json::parse_object(trim(line));
  if (!object) return Error{ErrorCode::kMalformedBody, "The line is not a JSON object.", {}};
  return map_.read([&](std::string_view column) { return value_at(*object, column); });
}

bool JsonReader::is_request(std::string_view line, const ReaderOptions& options) {
  const auto object = json::parse_object(trim(line));
  if (!object) return false;
  const auto value = [&](std::string_view column) { return value_at(*object, column); };
  FieldMap map(options);
  return map.is_request(value) && map.fits(value);
}

}  // namespace analytics::cli
