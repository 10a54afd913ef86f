#include "cli/replay/formats/table_readers.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/replay/formats/csv_fields.h"
#include "cli/replay/formats/log_head.h"
#include "common/json/json.h"
#include "common/text/text.h"

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
    // Vercel writes the User-Agent as a list with one element.
    const bool is_list = inner.kind == json::Kind::kArray && !inner.text.empty();
    if (key == column.substr(dot + 1) && (inner.is_scalar() || is_list)) return inner.text;
  }
  return std::nullopt;
}

/// Returns the object as JSON text, without nested objects and lists.
std::string text_of(const json::Value& object) {
  std::string text = "{";
  for (const auto& [key, value] : object.members) {
    if (!value.is_scalar()) continue;
    text += (text.size() > 1 ? "," : "") + json::quote(key) + ":" + json::quote(value.text);
  }
  return text + "}";
}

/// Returns the element of a JSON list that is on this line, without brackets and commas around it.
std::string_view element_of(std::string_view line) {
  line = trim(line);
  if (line.starts_with('[') || line.starts_with(',')) line = trim(line.substr(1));
  if (line.ends_with(']') && !line.ends_with("\"]")) line = trim(line.substr(0, line.size() - 1));
  if (line.ends_with(',')) line = trim(line.substr(0, line.size() - 1));
  return line;
}

}  // namespace

std::optional<std::vector<std::string>> CsvReader::fields_of(std::string_view record) const {
  if (is_plain_) {
    const auto fields = split(record, delimiter_);
    return std::vector<std::string>(fields.begin(), fields.end());
  }
  return has_escapes() ? escaped_fields(record) : csv_fields(record, delimiter_);
}

ReadLine CsvReader::read(std::string_view record) {
  const bool is_first = columns_.empty();
  if (is_first) delimiter_ = guess_delimiter(record);
  auto fields = fields_of(record);
  if (!fields) return Error{ErrorCode::kMalformedBody, "The record's quotes are unbalanced.", {}};
  if (is_first) {
    header_ = record;
    columns_ = std::move(*fields);
    return NoRecord{};
  }
  if (record == header_) return NoRecord{};  // the header of a file that was appended to this one
  if (fields->size() != columns_.size()) {
    return Error{ErrorCode::kMalformedBody,
                 "The record has " + std::to_string(fields->size()) + " fields, the header " +
                     std::to_string(columns_.size()) + ".",
                 {}};
  }
  if (format_ != nullptr) {
    const auto nulls = is_plain_ ? TableRow::Nulls::kEmpty : TableRow::Nulls::kWords;
    return format_->read(TableRow(columns_, *fields, nulls), options_);
  }
  return map_.read([&](std::string_view column) -> std::optional<std::string> {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) return std::nullopt;
    return (*fields)[static_cast<std::size_t>(found - columns_.begin())];
  });
}

bool CsvReader::is_whole(std::string_view record) const {
  return has_escapes() || is_whole_csv(record);
}

void CsvReader::skip(std::string_view record) {
  if (columns_.empty()) (void)read(record);  // reads the header
}

bool CsvReader::is_sound(std::string_view record) const { return fields_of(record).has_value(); }

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

const ExportFormat* CsvReader::guess_export(std::string_view header) {
  const auto names = csv_fields(header, guess_delimiter(header));
  if (!names || names->size() < 2) return nullptr;
  return guess_export_format(TableRow(*names, *names));
}

JsonReader::JsonReader(const ReaderOptions& options)
    : of_objects_{"props", "revenue"}, map_(options) {
  for (const auto& [field, column] : options.map) {
    if (field == "props" || field == "revenue") of_objects_.insert(column);
  }
}

ReadLine JsonReader::read(std::string_view line) {
  std::string buffer;
  const auto object = json::parse_object(bare_json(line, buffer));
  if (!object) return Error{ErrorCode::kMalformedBody, "The line is not a JSON object.", {}};
  return map_.read([&](std::string_view column) -> std::optional<std::string> {
    const auto* value = of_objects_.contains(column) ? object->find(column) : nullptr;
    const bool is_object = value != nullptr && value->kind == json::Kind::kObject;
    return is_object ? text_of(*value) : value_at(*object, column);
  });
}

bool JsonReader::is_request(std::string_view line, const ReaderOptions& options) {
  std::string buffer;
  const auto object = json::parse_object(bare_json(line, buffer));
  if (!object) return false;
  const auto value = [&](std::string_view column) { return value_at(*object, column); };
  FieldMap map(options);
  return map.is_request(value) && map.fits(value);
}

bool JsonReader::is_page(std::string_view line, const ReaderOptions& options) {
  std::string buffer;
  const auto object = json::parse_object(bare_json(line, buffer));
  if (!object) return false;
  for (const std::string_view own : {"n", "name", "d", "domain"}) {
    if (object->find(own) != nullptr) return false;
  }
  return FieldMap(options).fits([&](std::string_view name) { return value_at(*object, name); });
}

ReadLine ExportReader::read(std::string_view line) {
  line = element_of(line);
  if (line.empty()) return NoRecord{};
  auto document = json::parse_document(line);
  if (!document || !document->is_object()) {
    return Error{ErrorCode::kMalformedBody, "The line is not a JSON object.", {}};
  }
  return format_.read(DocumentRow(*document), options_);
}

void ExportReader::divide(std::string_view record, const TakePart& take) const {
  const auto& words = format_.words_of_several;
  const auto stands_in = [&](std::string_view word) { return record.find(word) != record.npos; };
  if (std::none_of(words.begin(), words.end(), stands_in)) return;
  const auto document = json::parse_document(element_of(record));
  if (document && document->is_object()) format_.divide(*document, take);
}

const ExportFormat* ExportReader::guess(std::string_view line) {
  line = element_of(line);
  if (!line.starts_with('{')) return nullptr;
  auto document = json::parse_document(line);
  if (!document || !document->is_object()) return nullptr;
  if (const auto* format = guess_export_format(DocumentRow(*document))) return format;
  for (const auto& format : export_formats()) {
    const ExportFormat* of_part = nullptr;
    if (format.divide == nullptr) continue;
    format.divide(*document, [&](const std::string& part, std::size_t) {
      auto first = json::parse_document(part);
      if (first) of_part = guess_export_format(DocumentRow(*first));
      return false;
    });
    if (of_part == &format) return of_part;
  }
  return nullptr;
}

}  // namespace analytics::cli
