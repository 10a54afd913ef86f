#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// Returns the error message for a file whose first line has no known format. The message suggests
/// an option: `--map` with the columns of a table or JSON object, or `--log-format` for any other
/// line.
[[nodiscard]] std::string advise(std::string_view first_line);

}  // namespace analytics::cli
