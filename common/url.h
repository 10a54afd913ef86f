#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Percent-encoding, form encoding and the parts of a URL (RFC 3986, WHATWG forms).
namespace analytics {

/// Strict: nullopt when a `%` is not followed by two hex digits.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

/// For showing: what cannot be decoded, and escapes of control characters, stay as they are;
/// bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string percent_decode_lenient(std::string_view text);

/// Everything but unreserved characters (RFC 3986) is encoded: fits one path segment or query
/// value.
[[nodiscard]] std::string percent_encode(std::string_view text);
using Parameters = std::vector<std::pair<std::string, std::string>>;

/// "a=1&b=%20": a query or a form.
[[nodiscard]] std::string encode_form(const Parameters& parameters);

/// application/x-www-form-urlencoded: `+` is a space; nullopt when badly encoded or not UTF-8.
[[nodiscard]] std::optional<Parameters> parse_form(std::string_view text);

/// The value of a query parameter, decoded for showing; empty when absent.
[[nodiscard]] std::string query_value(std::string_view query, std::string_view name);

/// Views into the text it was parsed from.
struct UrlParts {
  std::string_view scheme;
  std::string_view host;      ///< Without user, port and IPv6 brackets.
  std::string_view path;      ///< The path as sent; may be empty.
  std::string_view query;     ///< Without `?`.
  std::string_view fragment;  ///< Without `#`.
};

/// `scheme://host…`; nullopt when the scheme is malformed, the host empty, or either holds
/// white space or control characters.
[[nodiscard]] std::optional<UrlParts> split_url(std::string_view url);

/// The URL of a page: one that split_url() takes, one without a host ("file:///a.html",
/// "app:///screen"), or a path alone ("/a"). nullopt for others, and for data: and javascript:.
[[nodiscard]] std::optional<UrlParts> split_page_url(std::string_view url);

}  // namespace analytics
