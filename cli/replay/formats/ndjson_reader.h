#pragma once

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// A line is the body of POST /api/event with the import fields.
class NdjsonReader final : public LineReader {
 public:
  explicit NdjsonReader(ReaderOptions options) : options_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view line) override;
  /// True if the line has the members that every event has.
  [[nodiscard]] static bool is_event(std::string_view line);
  /// True if it has one of them, or is no JSON object at all, but may be a damaged one.
  [[nodiscard]] static bool is_like_event(std::string_view line);

 private:
  ReaderOptions options_;
};

}  // namespace analytics::cli
