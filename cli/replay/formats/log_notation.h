#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "cli/replay/formats/log_pattern.h"

/// The notations in which servers and GoAccess write the form of a log's lines. For
/// parse_log_pattern().
namespace analytics::cli {

enum class LogNotation { kNone, kNginx, kApache, kGoAccess };

/// Whose fields the text has; kNone: it has none.
[[nodiscard]] LogNotation notation_of(std::string_view text);

/// The fields of a text, and what is between them. `notation` is not kNone. Errors:
/// kInvalidParameter.
[[nodiscard]] Result<LogPattern> parse_fields(std::string_view text, LogNotation notation);

/// Why a value of --log-format is refused.
[[nodiscard]] inline tl::unexpected<Error> wrong_log_format(const std::string& what) {
  return fail(ErrorCode::kInvalidParameter, "--log-format " + what);
}

struct NamedLogField {
  std::string_view name;
  LogField field;
};
/// nullopt: none has that name.
template <std::size_t N>
[[nodiscard]] std::optional<LogField> find_field(const NamedLogField (&table)[N],
                                                 std::string_view name) {
  const auto* found = std::find_if(std::begin(table), std::end(table),
                                   [&](const NamedLogField& row) { return row.name == name; });
  return found == std::end(table) ? std::nullopt : std::optional(found->field);
}

/// Of the names of nginx's variables and of groups.
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_word_character(char c) {
  return is_letter(c) || c == '_' || (c >= '0' && c <= '9');
}

}  // namespace analytics::cli
