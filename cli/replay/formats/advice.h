#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// Returns an error message for a first line that no reader recognises, with an option to try: for
/// a table or a JSON object a `--map` that fits its columns, for other lines `--log-format`.
[[nodiscard]] std::string advise(std::string_view first_line);

}  // namespace analytics::cli
