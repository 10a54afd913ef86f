#pragma once

#include "cli/replay/formats/reader.h"
#include "common/text.h"
#include "tests/fuzz/require.h"

/// Helpers shared by the fuzz targets of replay's readers.
namespace analytics::cli {

inline ReaderOptions fuzz_options() {
  ReaderOptions options;
  options.site = "a.example";
  options.now = UnixMillis(std::chrono::milliseconds(1'800'000'000'000));
  return options;
}

/// Checks that every event that a reader returns can be sent, whatever the bytes were.
inline void require_sendable(const ReadLine& read, const ReaderOptions& options) {
  const auto* event = std::get_if<ReplayEvent>(&read);
  if (event == nullptr) return;
  REQUIRE_PROPERTY(is_valid_utf8(to_json(event->payload)));
  REQUIRE_PROPERTY(parse_event_payload(to_json(event->payload), {true, options.now}));
}

}  // namespace analytics::cli
