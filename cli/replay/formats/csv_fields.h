#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analytics::cli {

/// Returns the fields of a CSV record (RFC 4180, any delimiter); nullopt if its quotes are
/// unbalanced.
[[nodiscard]] std::optional<std::vector<std::string>> csv_fields(std::string_view record,
                                                                 char delimiter);

/// Returns the character that a backslash and this letter mean in exports of ClickHouse and
/// PostgreSQL, such as a line feed for `n`. Returns other letters unchanged.
[[nodiscard]] char escaped_character(char letter);

/// Resolves backslash escapes such as `\t`, `\n` and `\\`.
[[nodiscard]] std::string unescaped(std::string_view text);

/// Splits a tab-separated line and resolves backslash escapes, as ClickHouse and PostgreSQL write
/// them. Lists (`['a']`) and nulls (`\N`) stay as they are.
[[nodiscard]] std::vector<std::string> escaped_fields(std::string_view record);

/// Returns true if every quote in the text is closed; otherwise the CSV record continues on the
/// next line.
[[nodiscard]] bool is_whole_csv(std::string_view record);

/// Returns the most frequent delimiter in a header line: comma, semicolon, tab or bar. Returns a
/// comma if the line contains no delimiter.
[[nodiscard]] char guess_delimiter(std::string_view header);

}  // namespace analytics::cli
