#include "common/text/text.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include <utf8proc.h>

namespace analytics {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Returns the size in bytes of the character at `at`, and sets `code_point`; 0 if the bytes at
/// `at` are not valid UTF-8.
std::size_t character_length(std::string_view text, std::size_t at, std::int32_t& code_point) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at;
  const auto length =
      utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size() - at), &code_point);
  return length > 0 ? static_cast<std::size_t>(length) : 0;
}

bool is_ascii(std::string_view text) {
  char bits = 0;  // OR of all bytes, in a loop that the compiler vectorises
  for (const char c : text) bits |= c;
  return (bits & '\x80') == 0;
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return ascii_lower(c); });
  return lower;
}

std::string ascii_upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
  });
  return upper;
}

bool iequals(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return ascii_lower(x) == ascii_lower(y);
         });
}

bool istarts_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && iequals(text.substr(0, prefix.size()), prefix);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string all;
  for (const auto& part : parts) {
    if (!all.empty()) all += separator;
    all += part;
  }
  return all;
}

bool is_valid_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  std::int32_t code_point = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = character_length(text, at, code_point);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

std::size_t count_columns(std::string_view text) {
  std::size_t columns = 0;
  std::int32_t code_point = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = character_length(text, at, code_point);
    columns += length == 0 ? 1 : static_cast<std::size_t>(utf8proc_charwidth(code_point));
    at += std::max<std::size_t>(length, 1);
  }
  return columns;
}

std::string_view cut_utf8(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (text[bytes] & '\xC0') == '\x80') --bytes;
  return text.substr(0, bytes);
}

std::string repair_utf8(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size());
  std::int32_t code_point = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = character_length(text, at, code_point);
    repaired += length == 0 ? kReplacementCharacter : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return repaired;
}

bool has_control(std::string_view text) {
  // Nearly all texts contain no byte of a control character. This loop, which the compiler
  // vectorises, finds that out.
  unsigned may_have = 0;
  for (const char c : text) may_have |= unsigned{is_control(c)} | unsigned{c == '\xC2'};
  if (may_have == 0) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control(text[i])) return true;
    // In UTF-8, U+0080 to U+009F are C2 80 to C2 9F.
    if (text[i] == '\xC2' && i + 1 < text.size() && text[i + 1] < '\xA0') return true;
  }
  return false;
}

bool is_blank(std::string_view text) {
  std::int32_t code_point = 0;
  for (std::size_t at = 0; at < text.size();) {
    at += std::max<std::size_t>(1, character_length(text, at, code_point));
    const auto category = utf8proc_category(code_point);
    const bool space = category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
                       category == UTF8PROC_CATEGORY_ZP || category == UTF8PROC_CATEGORY_CC;
    if (!space) return false;
  }
  return true;
}

namespace {

/// Returns true if the character changes the direction of the text after it, which could disguise
/// that text.
bool turns_text(std::int32_t code_point) {
  return code_point == 0x061C || code_point == 0x200E || code_point == 0x200F ||
         (code_point >= 0x202A && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

/// Returns true for a C1 control or a character that changes the direction of text.
bool hides_text(std::int32_t code_point) {
  return (code_point >= 0x80 && code_point < 0xA0) || turns_text(code_point);
}

}  // namespace

std::string visible(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  std::int32_t code_point = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = character_length(text, at, code_point);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (length > 1 && hides_text(code_point)) {
      shown += "\\u{";
      for (int shift = code_point < 0x100 ? 4 : 12; shift >= 0; shift -= 4) {
        shown += kDigits[code_point >> shift & 15];
      }
      shown += '}';
    } else if (length == 0 || is_control(text[at])) {
      shown += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      shown += text.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return shown;
}

std::string visible_json(std::string_view json) {
  std::string shown;
  shown.reserve(json.size());
  std::int32_t code_point = 0;
  for (std::size_t at = 0; at < json.size();) {
    const auto length = std::max<std::size_t>(character_length(json, at, code_point), 1);
    if ((length > 1 && hides_text(code_point)) || json[at] == '\x7f') {
      constexpr char kDigits[] = "0123456789abcdef";
      const auto value = json[at] == '\x7f' ? 0x7f : code_point;
      shown += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) shown += kDigits[value >> shift & 15];
    } else {
      shown += json.substr(at, length);
    }
    at += length;
  }
  return shown;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  return parse_number<std::int64_t>(text);
}

std::optional<double> parse_double(std::string_view text) { return parse_number<double>(text); }

std::string to_hex(const std::uint8_t* data, std::size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(size * 2);
  for (std::size_t i = 0; i < size; ++i) {
    hex += kDigits[data[i] >> 4];
    hex += kDigits[data[i] & 15];
  }
  return hex;
}

std::optional<std::vector<std::uint8_t>> parse_hex(std::string_view text) {
  std::vector<std::uint8_t> bytes(text.size() / 2);
  if (text.size() % 2 != 0) return std::nullopt;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto pair = text.substr(2 * i, 2);
    const auto [end, error] = std::from_chars(pair.data(), pair.data() + 2, bytes[i], 16);
    if (error != std::errc() || end != pair.data() + 2) return std::nullopt;
  }
  return bytes;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '|' || text[i + 1] == '\\');
    if (is_escape) {
      values.back() += text[++i];
    } else if (text[i] == '|') {
      values.emplace_back();
    } else {
      values.back() += text[i];
    }
  }
  for (auto& value : values) value = std::string(trim(value));
  return values;
}

std::string longer_than(std::size_t most, std::string_view unit) {
  return "is longer than " + std::to_string(most) + " " + std::string(unit);
}

}  // namespace analytics
