#pragma once

#include <string_view>

/// Recognises User-Agents, products and versions in texts of other kinds.
namespace analytics {

/// Text that replaces personal data; names_user_agent() does not take it for part of a User-Agent.
inline constexpr std::string_view kRedacted = "(redacted)";

/// Returns true if the text contains the User-Agent of a browser, or is as a whole the User-Agent
/// of an app or HTTP library: "Mozilla/5.0 (…", "Dalvik/2.1.0 (Linux; …", "curl/8.5.0".
[[nodiscard]] bool names_user_agent(std::string_view text);

/// Returns true if the text begins with a name, a slash and a digit, as User-Agents do:
/// "curl/8.5.0".
[[nodiscard]] bool begins_with_product(std::string_view text);

/// Returns true if the text contains the User-Agent of a browser: "Mozilla/5.0 (…",
/// "AppleWebKit/537.36".
[[nodiscard]] bool names_browser(std::string_view plain);

/// Returns true for a text that begins as a version does: "18.2.0-rc.x".
[[nodiscard]] bool begins_with_version(std::string_view text);

[[nodiscard]] constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns true for a character of domain names, also in other scripts than Latin.
[[nodiscard]] constexpr bool is_of_domain(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || is_ascii_digit(c) || c == '.' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Returns true for an ASCII character of names such as "app-1.2.3.4" and "UP.Browser".
[[nodiscard]] constexpr bool is_of_word(char c) {
  return (is_of_domain(c) && static_cast<unsigned char>(c) < 0x80) || c == '_';
}

}  // namespace analytics
