#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analytics::cli {

/// The fields of one CSV record (RFC 4180, any delimiter); nullopt where its quotes are wrong.
[[nodiscard]] std::optional<std::vector<std::string>> csv_fields(std::string_view record,
                                                                 char delimiter);

/// Whether the record ends with its line: every quote that was opened is closed.
[[nodiscard]] bool is_whole_csv(std::string_view record);

/// Which of comma, semicolon, tab and bar separates the names of a header.
[[nodiscard]] char guess_delimiter(std::string_view header);

}  // namespace analytics::cli
