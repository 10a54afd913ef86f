#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Percent-encoding, form encoding and the parts of a URL (RFC 3986, WHATWG forms).
namespace analytics {

/// Decodes percent-encoding; nullopt if a `%` is not followed by two hex digits.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

/// Decodes percent-encoding for display. Invalid escapes, and escapes of control characters,
/// remain unchanged; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string percent_decode_lenient(std::string_view text);

/// Encodes all but unreserved characters (RFC 3986), for one path segment or query value.
[[nodiscard]] std::string percent_encode(std::string_view text);
using Parameters = std::vector<std::pair<std::string, std::string>>;

/// Returns the parameters as a query or form: "a=1&b=%20".
[[nodiscard]] std::string encode_form(const Parameters& parameters);

/// Parses application/x-www-form-urlencoded, where `+` is a space; nullopt if badly encoded or not
/// UTF-8.
[[nodiscard]] std::optional<Parameters> parse_form(std::string_view text);

/// Returns the value of a query parameter, decoded for display; empty if absent.
[[nodiscard]] std::string query_value(std::string_view query, std::string_view name);

/// The parts of a URL, as views into the parsed text.
struct UrlParts {
  std::string_view scheme;
  std::string_view host;      ///< Host without user, port and IPv6 brackets.
  std::string_view path;      ///< Path as sent, still encoded; may be empty.
  std::string_view query;     ///< Query without `?`.
  std::string_view fragment;  ///< Fragment without `#`.
};

/// Splits `scheme://host…`; nullopt if the scheme is malformed, the host is empty, or either
/// contains white space or control characters.
[[nodiscard]] std::optional<UrlParts> split_url(std::string_view url);

/// Splits the URL of a page: one that split_url() accepts, one without a host ("file:///a.html",
/// "app:///screen"), or a path alone ("/a"). Returns nullopt for any other text, such as data: and
/// javascript: URLs.
[[nodiscard]] std::optional<UrlParts> split_page_url(std::string_view url);

}  // namespace analytics
