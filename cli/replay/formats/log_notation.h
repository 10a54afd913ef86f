#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "cli/replay/formats/log_pattern.h"

/// Parses the notations by which nginx, Apache and GoAccess describe log lines; used by
/// parse_log_pattern().
namespace analytics::cli {

enum class LogNotation { kNone, kNginx, kApache, kGoAccess };

/// Returns the notation of the fields in a value of --log-format; kNone if it contains no field.
[[nodiscard]] LogNotation notation_of(std::string_view text);

/// Parses a value of --log-format into its fields and the texts between them. REQUIRES: `notation`
/// is not kNone. Errors: kInvalidParameter.
[[nodiscard]] Result<LogPattern> parse_fields(std::string_view text, LogNotation notation);

/// Returns the error for a bad value of --log-format; `what` continues the text "--log-format ".
[[nodiscard]] inline tl::unexpected<Error> wrong_log_format(const std::string& what) {
  return fail(ErrorCode::kInvalidParameter, "--log-format " + what);
}

/// A row of a notation's table: a name, and the field that it stands for.
struct NamedLogField {
  std::string_view name;
  LogField field;
};
/// Returns the field with that name; nullopt if the table has no such name.
template <std::size_t N>
[[nodiscard]] std::optional<LogField> find_field(const NamedLogField (&table)[N],
                                                 std::string_view name) {
  const auto* found = std::find_if(std::begin(table), std::end(table),
                                   [&](const NamedLogField& row) { return row.name == name; });
  return found == std::end(table) ? std::nullopt : std::optional(found->field);
}

/// Returns true for an ASCII letter. Names of nginx variables and of groups begin with one.
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_word_character(char c) {
  return is_letter(c) || c == '_' || (c >= '0' && c <= '9');
}

}  // namespace analytics::cli
