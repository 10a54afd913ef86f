#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// A reader, its format and the reason why it was chosen.
struct ChosenReader {
  std::unique_ptr<LineReader> reader;
  std::string format;
  std::string reason;
};

/// A value of `--format`: an access log or another kind of file.
struct InputFormat {
  std::string_view name;
  std::string_view about;  ///< Description in the help text.
};
/// Returns all values of `--format`.
[[nodiscard]] std::vector<InputFormat> input_formats();
/// Returns true for a name from input_formats() and for an alias such as "iis".
[[nodiscard]] bool is_format(std::string_view name);
/// Returns true if the line alone shows its format: not for a header, nor for a line that needs
/// one.
[[nodiscard]] bool has_line_format(std::string_view line, const ReaderOptions& options);

/// Returns true if `--map` only adds properties. Such mappings work with every format that has
/// columns.
[[nodiscard]] bool maps_props_only(const ReaderOptions& options);

/// Returns "auto, ndjson, …" for messages.
[[nodiscard]] std::string format_names();

/// Opens the reader with that name; "auto" chooses one by the first record. Errors: kMalformedBody
/// if the format of the record is unknown, kInvalidParameter.
[[nodiscard]] Result<ChosenReader> open_reader(const std::string& format,
                                               std::string_view first_line,
                                               const ReaderOptions& options);

}  // namespace analytics::cli
