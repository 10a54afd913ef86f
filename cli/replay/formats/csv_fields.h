#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analytics::cli {

/// The fields of one CSV record (RFC 4180, any delimiter); nullopt where its quotes are wrong.
[[nodiscard]] std::optional<std::vector<std::string>> csv_fields(std::string_view record,
                                                                 char delimiter);

/// The character that a letter behind a backslash stands for, as ClickHouse and PostgreSQL write
/// it: `n` a line end. Other letters stand for themselves.
[[nodiscard]] char escaped_character(char letter);

/// The text in which `\t`, `\n` and `\\` stand for the characters.
[[nodiscard]] std::string unescaped(std::string_view text);

/// The fields of a line with tabs in which `\t`, `\n` and `\\` stand for the characters: as
/// ClickHouse and PostgreSQL write them. Lists (`['a']`) and nulls (`\N`) stay as they are.
[[nodiscard]] std::vector<std::string> escaped_fields(std::string_view record);

/// True if every quote in the record is closed, so that the record ends with its line.
[[nodiscard]] bool is_whole_csv(std::string_view record);

/// Returns the separator of a header line: comma, semicolon, tab or bar.
[[nodiscard]] char guess_delimiter(std::string_view header);

}  // namespace analytics::cli
