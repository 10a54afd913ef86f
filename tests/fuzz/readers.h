#pragma once

#include "cli/replay/reader.h"
#include "common/text.h"
#include "tests/fuzz/require.h"

/// What the targets of replay's readers share.
namespace analytics::cli {

inline ReaderOptions fuzz_options() {
  ReaderOptions options;
  options.site = "a.example";
  options.now = UnixMillis(std::chrono::milliseconds(1'800'000'000'000));
  return options;
}

/// What is an event can be sent, whatever the bytes were.
inline void require_sendable(const ReadLine& read, const ReaderOptions& options) {
  const auto* event = std::get_if<ReplayEvent>(&read);
  if (event == nullptr) return;
  REQUIRE_PROPERTY(is_valid_utf8(to_json(event->payload)));
  REQUIRE_PROPERTY(parse_event_payload(to_json(event->payload), {true, options.now}));
}

}  // namespace analytics::cli
