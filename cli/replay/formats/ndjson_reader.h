#pragma once

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Reads lines that are request bodies of POST /api/event, which may have import fields such as
/// timestamp and ip.
class NdjsonReader final : public LineReader {
 public:
  explicit NdjsonReader(ReaderOptions options) : options_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view line) override;
  /// Returns true if the line is a JSON object with a name and a URL, which every event has.
  [[nodiscard]] static bool is_event(std::string_view line);
  /// Returns true for a JSON object with a name, URL or domain. Also returns true for a line that
  /// is not valid JSON, because it may be a damaged event.
  [[nodiscard]] static bool is_like_event(std::string_view line);

 private:
  ReaderOptions options_;
};

}  // namespace analytics::cli
