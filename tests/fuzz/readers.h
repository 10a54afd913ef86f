#pragma once

#include "cli/replay/formats/reader.h"
#include "common/text/text.h"
#include "tests/fuzz/require.h"

/// Functions for the fuzz targets of replay's readers.
namespace analytics::cli {

inline ReaderOptions fuzz_options() {
  ReaderOptions options;
  options.site = "a.example";
  options.now = UnixMillis(std::chrono::milliseconds(1'800'000'000'000));
  return options;
}

/// Ends the process if a reader has returned an event that the server would reject.
inline void require_sendable(const ReadLine& read, const ReaderOptions& options) {
  const auto* event = std::get_if<ReplayEvent>(&read);
  if (event == nullptr) return;
  const auto body = to_json(event->payload);
  const PayloadRights rights{true, options.now};
  REQUIRE_PROPERTY(is_valid_utf8(body));
  const auto parsed = parse_event_payload(body, rights);
  REQUIRE_PROPERTY(parsed);
  // The quick check may accept only payloads that the full check leaves unchanged.
  REQUIRE_PROPERTY(!is_plainly_valid(event->payload, rights) || to_json(*parsed) == body);
}

}  // namespace analytics::cli
