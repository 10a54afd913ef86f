#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// Returns an error message for a first line that no reader recognises, and what to try next. For a
/// table or a JSON object it proposes `--map`, by the names and values of the columns; for other
/// lines `--log-format`.
[[nodiscard]] std::string advise(std::string_view first_line);

}  // namespace analytics::cli
