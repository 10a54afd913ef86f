#pragma once

#include <memory>

#include "cli/replay/reader.h"

namespace analytics::cli {

/// A reader and why it was chosen.
struct ChosenReader {
  std::unique_ptr<LineReader> reader;
  std::string format;
  std::string reason;
};

[[nodiscard]] bool is_format(std::string_view name);
/// "auto, ndjson, …", for messages.
[[nodiscard]] std::string format_names();

/// By name, or for "auto" by the first record. Errors: kInvalidParameter.
[[nodiscard]] Result<ChosenReader> open_reader(const std::string& format,
                                               std::string_view first_line,
                                               const ReaderOptions& options);

}  // namespace analytics::cli
