#include "cli/replay/formats/mixed_log_reader.h"

#include <algorithm>

#include "cli/replay/formats/event_rules.h"

namespace analytics::cli {
namespace {

bool is_malformed(const ReadLine& read) {
  const auto* error = std::get_if<Error>(&read);
  return error != nullptr && error->code == ErrorCode::kMalformedBody;
}

/// Returns true for formats without referrer and User-Agent. A line of a longer format that was cut
/// off looks like a line of these formats.
bool is_short(const AccessLogFormatRow& row) { return row.name.starts_with("common"); }

}  // namespace

MixedLogReader::MixedLogReader(const AccessLogFormatRow& first, ReaderOptions options)
    : options_(std::move(options)) {
  readers_.push_back({&first, {first.make(), options_}});
}

bool MixedLogReader::may_be(const AccessLogFormatRow& row) const {
  const auto& first = *readers_.front().row;
  const bool is_known = std::any_of(readers_.begin(), readers_.end(),
                                    [&](const Known& known) { return known.row == &row; });
  return !is_known && !row.has_header && (is_short(first) || !is_short(row)) &&
         (row.names_host || !site_of(options_).empty());
}

ReadLine MixedLogReader::read(std::string_view line) {
  auto first = readers_.front().reader.read(line);
  if (!is_malformed(first)) return first;
  for (std::size_t i = 1; i < readers_.size(); ++i) {
    auto read = readers_[i].reader.read(line);
    if (!is_malformed(read)) return read;
  }
  for (const auto& row : access_log_formats()) {
    if (!may_be(row)) continue;
    Known other{&row, {row.make(), options_}};
    auto read = other.reader.read(line);
    if (is_malformed(read)) continue;
    readers_.push_back(std::move(other));
    return read;
  }
  return first;
}

}  // namespace analytics::cli
