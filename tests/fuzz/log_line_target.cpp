// Fuzzes lines of logs and exports: whatever the line is, every event that replay makes from it
// can be sent.
#include <cstdint>

#include "cli/replay/formats/access_log_reader.h"
#include "cli/replay/formats/ndjson_reader.h"
#include "cli/replay/formats/open_reader.h"
#include "tests/fuzz/readers.h"

using namespace analytics;
using namespace analytics::cli;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65'536) return 0;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto options = fuzz_options();
  std::vector<std::unique_ptr<LineReader>> readers;
  readers.push_back(std::make_unique<NdjsonReader>(options));
  for (const auto& row : access_log_formats()) {
    readers.push_back(std::make_unique<AccessLogReader>(row.make(), options));
  }
  for (const auto& reader : readers) require_sendable(reader->read(line), options);
  // Uses the first line as --log-format, and the second line as a log line in that format.
  const auto end = std::min(line.find('\n'), line.size());
  auto own = options;
  own.log_format = line.substr(0, end);
  if (own.log_format.empty()) return 0;
  const auto custom = open_reader("auto", "x", own);
  if (custom)
    require_sendable(custom->reader->read(line.substr(std::min(end + 1, line.size()))), own);
  return 0;
}
