#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/json.h"

/// The two ways in which parse_object() reads. Problems are the rest of a sentence about the body.
namespace analytics::json {

/// Reads an object of the plain kind that nearly all events are: without a surrogate escape, a
/// byte order mark, a number in powers of ten or of more than 18 digits. Several times as fast as
/// the library. Returns false if it is of another kind or no JSON at all, which read_any_object()
/// finds out; `object` then holds a part of it.
[[nodiscard]] bool read_plain_object(std::string_view text, const Limits& limits, Object& object);

/// Reads any object, with the library. Returns what is wrong; empty: nothing.
[[nodiscard]] std::string read_any_object(std::string_view text, const Limits& limits,
                                          Object& object);

/// The value of the four hex digits that an escape has; none if the text does not begin with four.
[[nodiscard]] std::optional<unsigned> read_escaped(std::string_view text);

/// Describes a syntax error by nlohmann's number for it.
[[nodiscard]] std::string syntax_problem(int id, std::size_t byte);

/// The library takes a NUL for the end of the text and would pass over what is behind it. JSON has
/// none anywhere (RFC 8259, sections 2 and 7). Empty: there is none.
[[nodiscard]] std::string nul_problem(std::string_view text);

}  // namespace analytics::json
