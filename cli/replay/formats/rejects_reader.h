#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// The lines of a reject file: each holds a record as it was, which is read as it was then.
class RejectsReader final : public LineReader {
 public:
  explicit RejectsReader(ReaderOptions options) : options_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view line) override;
  [[nodiscard]] static bool is_reject(std::string_view line);

 private:
  ReaderOptions options_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<LineReader>> readers_;
};

}  // namespace analytics::cli
