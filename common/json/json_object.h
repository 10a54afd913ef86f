#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/json/json.h"

/// The two parsers of parse_object(). A returned problem completes a sentence that begins with "The
/// body", such as "is empty".
namespace analytics::json {

/// Reads a plain object, as in nearly all events: without surrogate escapes, a byte order mark, or
/// numbers with an exponent or more than 18 digits. Several times as fast as nlohmann/json. Returns
/// false if the text is not plain or not JSON; read_any_object() tells these cases apart. `object`
/// is then incomplete.
[[nodiscard]] bool read_plain_object(std::string_view text, const Limits& limits, Object& object);

/// Reads any object, with nlohmann/json. Returns the problem; empty if the text is valid.
[[nodiscard]] std::string read_any_object(std::string_view text, const Limits& limits,
                                          Object& object);

/// Parses the four hex digits of a \u escape, with which the text begins; nullopt if it does not
/// begin with four hex digits.
[[nodiscard]] std::optional<unsigned> read_escaped(std::string_view text);

/// Describes an error of nlohmann/json. `id`: the error's number. `byte`: its place in the text.
[[nodiscard]] std::string syntax_problem(int id, std::size_t byte);

/// Returns the problem if the text contains a NUL byte, else an empty text. nlohmann/json stops at
/// a NUL byte and would ignore the rest of the text. JSON never contains one (RFC 8259, sections 2
/// and 7).
[[nodiscard]] std::string nul_problem(std::string_view text);

}  // namespace analytics::json
