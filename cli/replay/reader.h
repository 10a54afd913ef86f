#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "common/event_payload.h"
#include "common/result.h"

namespace analytics::cli {

/// A record that is an event.
struct ReplayEvent {
  EventPayload payload;
  std::string id;  ///< The record's own, where it has one.
};
/// A record that no person looked at: an asset, a failed request, another method.
struct Filtered {};
/// A line that is no record: blank, a comment, a header.
struct NoRecord {};

using ReadLine = std::variant<ReplayEvent, Filtered, NoRecord, Error>;

/// Turns the lines of one format into events, in their order: some have a header. No files, no
/// clock.
class LineReader {
 public:
  virtual ~LineReader() = default;
  [[nodiscard]] virtual ReadLine read(std::string_view line) = 0;
};

/// What readers need to know beside the line.
struct ReaderOptions {
  std::string site;           ///< For records that name none.
  std::string site_override;  ///< For all.
  std::string base;           ///< Of access logs; empty: https:// and the site.
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  bool keep_bots = false;
  UnixMillis now{};
};

}  // namespace analytics::cli
