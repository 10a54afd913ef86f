// Lines that replay reads: what is an event can be sent, whatever the line was.
#include <cstdint>

#include "cli/replay/access_log_reader.h"
#include "cli/replay/ndjson_reader.h"
#include "common/text.h"
#include "tests/fuzz/require.h"

using namespace analytics;
using namespace analytics::cli;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65'536) return 0;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  ReaderOptions options;
  options.site = "a.example";
  options.now = UnixMillis(std::chrono::milliseconds(1'800'000'000'000));
  std::vector<std::unique_ptr<LineReader>> readers;
  readers.push_back(std::make_unique<NdjsonReader>(options));
  for (const auto& row : access_log_formats()) {
    readers.push_back(std::make_unique<AccessLogReader>(row.make(), options));
  }
  for (const auto& reader : readers) {
    const auto read = reader->read(line);
    const auto* event = std::get_if<ReplayEvent>(&read);
    if (event == nullptr) continue;
    REQUIRE_PROPERTY(is_valid_utf8(to_json(event->payload)));
    REQUIRE_PROPERTY(parse_event_payload(to_json(event->payload), {true, options.now}));
  }
  return 0;
}
