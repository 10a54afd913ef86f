#pragma once

#include <map>

#include "cli/replay/formats/export_format.h"
#include "cli/replay/formats/open_reader.h"
#include "tests/support/catch.h"

/// Functions that run replay's readers on lines of text, for tests.
namespace analytics::cli::test {

inline ReaderOptions options(const std::string& site = "") {
  ReaderOptions made;
  made.site = site;
  made.now = UnixMillis(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1));
  return made;
}

/// Reads the lines with the reader of `format`, and returns the result for each line that is a
/// record.
inline std::vector<ReadLine> read_all(const std::vector<std::string>& lines,
                                      const ReaderOptions& given,
                                      const std::string& format = "auto") {
  auto chosen = open_reader(format, lines.front(), given);
  if (!chosen) FAIL(chosen.error().message);
  std::vector<ReadLine> all;
  for (const auto& line : lines) {
    auto read = chosen->reader->read(line);
    if (!std::holds_alternative<NoRecord>(read)) all.push_back(std::move(read));
  }
  return all;
}

inline EventPayload event_of(const ReadLine& read) {
  if (const auto* error = std::get_if<Error>(&read)) FAIL(error->message);
  REQUIRE(std::holds_alternative<ReplayEvent>(read));
  return std::get<ReplayEvent>(read).payload;
}

/// Returns a Snowplow row with the given columns; all other columns are empty.
inline std::string snowplow_line(const std::map<std::string, std::string>& values) {
  std::string line;
  for (const auto column : snowplow_columns()) {
    const auto value = values.find(std::string(column));
    line += (value == values.end() ? "" : value->second) + "\t";
  }
  line.pop_back();
  return line;
}

/// Splits a record with several events into one part per event, and returns the result of reading
/// each part.
inline std::vector<ReadLine> read_parts_of(const std::string& record, const ReaderOptions& given,
                                           const std::string& expected_format) {
  auto chosen = open_reader("auto", record, given);
  if (!chosen) FAIL(chosen.error().message);
  CHECK(chosen->format == expected_format);
  std::vector<ReadLine> all;
  chosen->reader->divide(record, [&](const std::string& part, std::size_t) {
    all.push_back(chosen->reader->read(part));
    return true;
  });
  return all;
}

}  // namespace analytics::cli::test
