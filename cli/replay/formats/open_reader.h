#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// A reader and why it was chosen.
struct ChosenReader {
  std::unique_ptr<LineReader> reader;
  std::string format;
  std::string reason;
};

/// A value of `--format`: an access log or another kind of file.
struct InputFormat {
  std::string_view name;
  std::string_view about;  ///< For help.
};
[[nodiscard]] std::vector<InputFormat> input_formats();
/// True for a name of input_formats(), and for those that stand for one, such as "iis".
[[nodiscard]] bool is_format(std::string_view name);
/// True for a line that alone tells its format: not a header, and not a line that needs one.
[[nodiscard]] bool has_line_format(std::string_view line, const ReaderOptions& options);

/// True if `--map` only adds properties, which it may do for any format with columns.
[[nodiscard]] bool maps_props_only(const ReaderOptions& options);

/// "auto, ndjson, …", for messages.
[[nodiscard]] std::string format_names();

/// The reader of that name, or for "auto" the one that the first record asks for. Errors:
/// kMalformedBody when the record is of no known format, kInvalidParameter.
[[nodiscard]] Result<ChosenReader> open_reader(const std::string& format,
                                               std::string_view first_line,
                                               const ReaderOptions& options);

}  // namespace analytics::cli
