#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Reads a reject file. Parses the rejected record in each line again, in its original format.
class RejectsReader final : public LineReader {
 public:
  explicit RejectsReader(ReaderOptions options) : options_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view line) override;
  /// Returns true if the line is a row of a reject file.
  [[nodiscard]] static bool is_reject(std::string_view line);

 private:
  ReaderOptions options_;
  /// Readers of the original formats, by format and header line.
  std::map<std::pair<std::string, std::string>, std::unique_ptr<LineReader>> readers_;
};

}  // namespace analytics::cli
