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

/// Returns the text without ASCII white space at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] inline char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
[[nodiscard]] std::string ascii_lower(std::string_view text);
[[nodiscard]] std::string ascii_upper(std::string_view text);
/// Returns true if the texts are equal, regardless of ASCII case.
[[nodiscard]] bool iequals(std::string_view a, std::string_view b);
[[nodiscard]] bool istarts_with(std::string_view text, std::string_view prefix);

/// Returns true if the text contains any of the words.
template <typename Words = std::initializer_list<std::string_view>>
[[nodiscard]] bool contains_any(std::string_view text, const Words& words) {
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

/// Returns the pieces between separators, including empty ones.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// Splits "Google|Bing" at each unescaped `|` and trims the pieces; `\|` and `\\` mean `|` and `\`.
[[nodiscard]] std::vector<std::string> split_values(std::string_view text);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);

[[nodiscard]] bool is_valid_utf8(std::string_view text);
/// Returns the number of code points in valid UTF-8.
[[nodiscard]] std::size_t count_characters(std::string_view text);
/// Returns the number of terminal columns that valid UTF-8 takes: 2 for a wide character, 0 for a
/// combining mark.
[[nodiscard]] std::size_t count_columns(std::string_view text);
/// Returns at most the first `bytes` bytes, without cutting a character in two.
[[nodiscard]] std::string_view cut_utf8(std::string_view text, std::size_t bytes);
/// U+FFFD, which replaces invalid text.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";
/// Replaces every invalid byte sequence with U+FFFD.
[[nodiscard]] std::string repair_utf8(std::string_view text);

/// Returns true for ASCII control characters, including DEL.
[[nodiscard]] constexpr bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}
/// Returns true if the text contains an ASCII or C1 control character.
[[nodiscard]] bool has_control(std::string_view text);
/// Returns true if the text contains only control characters and white space of any script.
/// REQUIRES: valid UTF-8.
[[nodiscard]] bool is_blank(std::string_view text);
/// Returns the text with control characters escaped as \xNN, so that a terminal shows them instead
/// of obeying them. C1 controls, and characters that change the direction of text, become \u{202e}.
[[nodiscard]] std::string visible(std::string_view text);

/// Returns the same JSON document, safe for a terminal: C1 controls, and characters that change the
/// direction of text, are escaped. REQUIRES: valid JSON, where these occur only in strings.
[[nodiscard]] std::string visible_json(std::string_view json);

/// Parses the whole text as a decimal number; nullopt if any other character precedes or follows
/// it.
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text);
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

[[nodiscard]] std::string to_hex(const std::uint8_t* data, std::size_t size);
template <std::size_t N>
[[nodiscard]] std::string to_hex(const std::array<std::uint8_t, N>& bytes) {
  return to_hex(bytes.data(), N);
}
/// Parses pairs of hex digits in any case; nullopt for any other character.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> parse_hex(std::string_view text);

/// Returns the number of edits between two words (Levenshtein), for "did you mean".
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns "is longer than 500 bytes", the problem with a text above a limit. `unit`: "bytes" or
/// "characters".
[[nodiscard]] std::string longer_than(std::size_t most, std::string_view unit);

}  // namespace analytics
