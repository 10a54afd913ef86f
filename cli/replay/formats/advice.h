#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// What a first line is that no reader reads, and what to try next: for a table or a JSON object a
/// `--map` that is proposed by the names and values of its columns, for a log `--log-format`.
[[nodiscard]] std::string advise(std::string_view first_line);

}  // namespace analytics::cli
