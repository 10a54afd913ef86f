#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// A reader for a file, the name of its format, and the reason why it was chosen, for the user.
struct ChosenReader {
  std::unique_ptr<LineReader> reader;
  std::string format;
  std::string reason;
};

/// A value of `--format`: the format of an access log or of another kind of file.
struct InputFormat {
  std::string_view name;
  std::string_view about;  ///< Description of the format in the help text.
};
/// Returns all values of `--format`.
[[nodiscard]] std::vector<InputFormat> input_formats();
/// Returns true for a name from input_formats() and for an alias such as "iis".
[[nodiscard]] bool is_format(std::string_view name);
/// Returns true if the format can be recognised from this line alone. Returns false for a header,
/// and for a line that can be read only after a header.
[[nodiscard]] bool has_line_format(std::string_view line, const ReaderOptions& options);

/// Returns true if every `--map` option sets a property. Such options work with every format that
/// has columns.
[[nodiscard]] bool maps_props_only(const ReaderOptions& options);

/// Returns the names of all formats as "auto, ndjson, …", for messages.
[[nodiscard]] std::string format_names();

/// Opens a reader for the format with that name; "auto" chooses one by the first line. Errors:
/// kMalformedBody if the format of the line is unknown, kInvalidParameter if an option is wrong or
/// missing.
[[nodiscard]] Result<ChosenReader> open_reader(const std::string& format,
                                               std::string_view first_line,
                                               const ReaderOptions& options);

}  // namespace analytics::cli
