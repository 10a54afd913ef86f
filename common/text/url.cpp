#include "common/text/url.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Returns the byte that the escape at `at` encodes; -1 if it is not a valid escape.
int escaped_byte(std::string_view text, std::size_t at) {
  if (at + 2 >= text.size()) return -1;
  const int high = hex_value(text[at + 1]);
  const int low = hex_value(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

bool is_alpha(char c) { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_scheme(std::string_view text) {
  return !text.empty() && is_alpha(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_alpha(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
         });
}

std::string decode_query(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  return percent_decode_lenient(spaced);
}

}  // namespace

std::optional<std::string> percent_decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at];
      continue;
    }
    const int byte = escaped_byte(text, at);
    if (byte < 0) return std::nullopt;
    decoded += static_cast<char>(byte);
    at += 2;
  }
  return decoded;
}

std::string percent_decode_lenient(std::string_view text) {
  if (text.find('%') == std::string_view::npos && is_valid_utf8(text)) return std::string(text);
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const int byte = text[at] == '%' ? escaped_byte(text, at) : -1;
    if (byte >= 0 && !is_control(static_cast<char>(byte))) {
      decoded += static_cast<char>(byte);
      at += 2;
    } else {
      decoded += text[at];
    }
  }
  return is_valid_utf8(decoded) ? decoded : repair_utf8(decoded);
}

std::string percent_encode(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (is_alpha(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return encoded;
}

std::string encode_form(const Parameters& parameters) {
  std::string form;
  for (const auto& [name, value] : parameters) {
    form += (form.empty() ? "" : "&") + percent_encode(name) + "=" + percent_encode(value);
  }
  return form;
}

std::optional<Parameters> parse_form(std::string_view text) {
  Parameters parameters;
  for (const auto pair : split(text, '&')) {
    if (pair.empty()) continue;
    std::string spaced(pair);
    std::replace(spaced.begin(), spaced.end(), '+', ' ');
    const std::string_view view(spaced);
    const auto equals = view.find('=');
    auto name = percent_decode(view.substr(0, equals));
    auto value = percent_decode(equals == std::string_view::npos ? "" : view.substr(equals + 1));
    if (!name || !value || !is_valid_utf8(*name) || !is_valid_utf8(*value)) return std::nullopt;
    parameters.emplace_back(std::move(*name), std::move(*value));
  }
  return parameters;
}

std::string query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const auto end = query.find('&');
    const auto pair = query.substr(0, end);
    const auto equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
      return decode_query(pair.substr(equals + 1));
    }
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  return {};
}

namespace {

/// Moves fragment and query from the end of `rest` into `parts`.
void split_end(std::string_view& rest, UrlParts& parts) {
  if (const auto hash = rest.find('#'); hash != std::string_view::npos) {
    parts.fragment = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  if (const auto mark = rest.find('?'); mark != std::string_view::npos) {
    parts.query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
}

}  // namespace

std::optional<UrlParts> split_page_url(std::string_view url) {
  UrlParts parts;
  if (auto whole = split_url(url)) {
    parts = *whole;
  } else {
    const auto colon = url.find(":///");
    const bool has_scheme = colon != std::string_view::npos && is_scheme(url.substr(0, colon));
    if (has_scheme) {
      parts.scheme = url.substr(0, colon);
      url.remove_prefix(colon + 3);
    }
    if (!url.starts_with('/') || (!has_scheme && url.starts_with("//"))) return std::nullopt;
    split_end(url, parts);
    parts.path = url;
  }
  const bool runs = iequals(parts.scheme, "data") || iequals(parts.scheme, "javascript");
  return runs ? std::nullopt : std::optional(parts);
}

std::optional<UrlParts> split_url(std::string_view url) {
  const auto colon = url.find("://");
  if (colon == std::string_view::npos || !is_scheme(url.substr(0, colon))) return std::nullopt;
  UrlParts parts;
  parts.scheme = url.substr(0, colon);
  auto rest = url.substr(colon + 3);
  split_end(rest, parts);
  const auto slash = rest.find('/');
  auto authority = rest.substr(0, slash);
  if (slash != std::string_view::npos) parts.path = rest.substr(slash);
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    authority.remove_prefix(at + 1);
  }
  if (authority.starts_with('[')) {
    const auto close = authority.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    parts.host = authority.substr(1, close - 1);
  } else {
    parts.host = authority.substr(0, authority.find(':'));
  }
  const bool odd = std::any_of(parts.host.begin(), parts.host.end(), [](char c) {
    return is_control(c) || c == ' ' || c == '\\' || c == '<' || c == '>' || c == '"';
  });
  if (parts.host.empty() || odd) return std::nullopt;
  return parts;
}

}  // namespace analytics
