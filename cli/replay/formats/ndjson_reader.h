#pragma once

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Reads lines that are bodies of POST /api/event with the import fields.
class NdjsonReader final : public LineReader {
 public:
  explicit NdjsonReader(ReaderOptions options) : options_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view line) override;
  /// Returns true if the line has the members that every event has.
  [[nodiscard]] static bool is_event(std::string_view line);
  /// Returns true if the line has at least one of these members, or may be a damaged JSON object.
  [[nodiscard]] static bool is_like_event(std::string_view line);

 private:
  ReaderOptions options_;
};

}  // namespace analytics::cli
