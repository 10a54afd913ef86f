#include "cli/replay/formats/rejects_reader.h"

#include "cli/replay/formats/export_format.h"
#include "cli/replay/formats/mixed_log_reader.h"
#include "cli/replay/formats/open_reader.h"
#include "common/json/json.h"
#include "common/run/secret.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kMaxReaders = 100;  // readers kept, one for each format and header

std::string text_of(const json::Object& row, std::string_view name) {
  const auto* value = row.find(name);
  return value != nullptr && value->is_scalar() ? value->text : "";
}

/// Returns the rejected record as it was in its file; nullopt if the row contains none.
std::optional<std::string> original_of(const json::Object& row) {
  if (row.find("original") != nullptr) return text_of(row, "original");
  if (row.find("original_base64") == nullptr) return std::nullopt;
  return from_base64(text_of(row, "original_base64"));
}

}  // namespace

bool RejectsReader::is_reject(std::string_view line) {
  const auto row = json::parse_object(trim(line));
  return row && row->find("stage") != nullptr && original_of(*row).has_value();
}

ReadLine RejectsReader::read(std::string_view line) {
  const auto row = json::parse_object(trim(line));
  const auto original = row ? original_of(*row) : std::nullopt;
  if (!original)
    return Error{ErrorCode::kMalformedBody, "The line is not a row of a reject file.", {}};
  const auto format = text_of(*row, "format");
  const auto header = text_of(*row, "header");
  if (readers_.size() >= kMaxReaders) readers_.clear();
  auto& reader = readers_[{format, header}];
  if (reader == nullptr) {
    // The record may be damaged, so an export's reader is chosen only by the format that the row
    // names.
    const bool is_export = find_export_format(format) != nullptr;
    const auto& first = header.empty() && !is_export ? *original : header;
    auto opened = open_reader(format.empty() ? "auto" : format, first, options_);
    if (!opened) return opened.error();
    reader = std::move(opened->reader);
    // The named format is that of the file's first line, but later lines may have others.
    const auto* log = find_log_format(format);
    if (log != nullptr && !log->has_header) {
      reader = std::make_unique<MixedLogReader>(*log, options_);
    }
    if (!header.empty()) (void)reader->read(header);
  }
  auto content = reader->read(*original);
  // The line itself is a row of the reject file, so it must not be sent as the event's body.
  if (auto* event = std::get_if<ReplayEvent>(&content)) event->is_body = false;
  return content;
}

}  // namespace analytics::cli
