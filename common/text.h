#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Small pure functions over text. All text is UTF-8; "characters" are code points.
namespace analytics {

/// Without ASCII white space at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] inline char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
[[nodiscard]] std::string ascii_lower(std::string_view text);
[[nodiscard]] std::string ascii_upper(std::string_view text);
/// Compares without regard to ASCII case.
[[nodiscard]] bool iequals(std::string_view a, std::string_view b);
[[nodiscard]] bool istarts_with(std::string_view text, std::string_view prefix);

/// True if the text contains any of the words.
template <typename Words = std::initializer_list<std::string_view>>
[[nodiscard]] bool contains_any(std::string_view text, const Words& words) {
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

/// The pieces between separators, empty ones included.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// Splits "Google|Bing", trimmed, at each `|` that no backslash stands before; `\|` and `\\` stand
/// for what they escape.
[[nodiscard]] std::vector<std::string> split_values(std::string_view text);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);

[[nodiscard]] bool is_valid_utf8(std::string_view text);
/// Code points of valid UTF-8.
[[nodiscard]] std::size_t count_characters(std::string_view text);
/// Columns of a terminal that valid UTF-8 takes: wide characters two, marks none.
[[nodiscard]] std::size_t count_columns(std::string_view text);
/// At most `bytes` bytes, never cutting a character in two.
[[nodiscard]] std::string_view cut_utf8(std::string_view text, std::size_t bytes);
/// U+FFFD, which stands for what could not be read.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";
/// Every invalid byte sequence becomes U+FFFD.
[[nodiscard]] std::string repair_utf8(std::string_view text);

/// ASCII control characters, DEL included.
[[nodiscard]] constexpr bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}
/// True if the text contains an ASCII or C1 control character.
[[nodiscard]] bool has_control(std::string_view text);
/// Nothing but white space of any script, and control characters. REQUIRES: valid UTF-8.
[[nodiscard]] bool is_blank(std::string_view text);
/// Control characters written as \xNN (C1 controls, and those that turn the direction of text, as
/// \u{202e}), so that they are seen and not obeyed.
[[nodiscard]] std::string visible(std::string_view text);

/// The JSON text with C1 controls and marks that set the direction of text written as escapes: the
/// same document, and harmless on a terminal. REQUIRES: JSON, in which they can only be part of
/// strings.
[[nodiscard]] std::string visible_json(std::string_view json);

/// The whole text as a decimal number; nothing else before or after.
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text);
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

[[nodiscard]] std::string to_hex(const std::uint8_t* data, std::size_t size);
template <std::size_t N>
[[nodiscard]] std::string to_hex(const std::array<std::uint8_t, N>& bytes) {
  return to_hex(bytes.data(), N);
}
/// Pairs of hex digits, either case, and nothing else.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> parse_hex(std::string_view text);

/// Edits between two words (Levenshtein), for "did you mean".
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace analytics
