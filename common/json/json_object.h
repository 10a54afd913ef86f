#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/json/json.h"

/// The two parsers of parse_object(). Problems are texts that complete a sentence about the body.
namespace analytics::json {

/// Reads a plain object, as in nearly all events: without surrogate escapes, a byte order mark, and
/// numbers with an exponent or more than 18 digits. Several times as fast as nlohmann/json. Returns
/// false if the text is not plain, or not JSON, which read_any_object() decides; `object` is then
/// incomplete.
[[nodiscard]] bool read_plain_object(std::string_view text, const Limits& limits, Object& object);

/// Reads any object, with nlohmann/json. Returns the problem; empty if the text is valid.
[[nodiscard]] std::string read_any_object(std::string_view text, const Limits& limits,
                                          Object& object);

/// Returns the value of the four hex digits of an escape; nullopt if the text does not begin with
/// four.
[[nodiscard]] std::optional<unsigned> read_escaped(std::string_view text);

/// Describes the syntax error with nlohmann's number `id`.
[[nodiscard]] std::string syntax_problem(int id, std::size_t byte);

/// Returns the problem if the text contains a NUL byte, else an empty text. nlohmann/json stops at
/// a NUL byte and would ignore the rest of the text. JSON never contains one (RFC 8259, sections 2
/// and 7).
[[nodiscard]] std::string nul_problem(std::string_view text);

}  // namespace analytics::json
