#pragma once

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Reads lines that are bodies of POST /api/event, with the import fields such as timestamp and ip.
class NdjsonReader final : public LineReader {
 public:
  explicit NdjsonReader(ReaderOptions options) : options_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view line) override;
  /// Returns true if the line is a JSON object with a name and a URL, which every event has.
  [[nodiscard]] static bool is_event(std::string_view line);
  /// Returns true if the line has a name, URL or domain, or may be a damaged JSON object.
  [[nodiscard]] static bool is_like_event(std::string_view line);

 private:
  ReaderOptions options_;
};

}  // namespace analytics::cli
