#include "common/text/personal_data.h"

#include <algorithm>
#include <optional>

#include "common/text/address.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "common/text/user_agent_text.h"

namespace analytics {
namespace {

constexpr std::size_t kMaxOfDomain = 253;  // in characters
/// Full-width forms of `@` and of the dot, which mail programs and domains treat like the ASCII
/// ones.
constexpr std::pair<std::string_view, char> kWide[] = {
    {"＠", '@'}, {"．", '.'}, {"。", '.'}, {"｡", '.'}};

/// File extensions that do not end a domain: in a file name, `@` may precede a picture's scale
/// ("logo@2x.png") or a script's version.
constexpr std::string_view kFileEndings[] = {
    "png",  "jpg",  "jpeg", "gif", "svg",  "webp", "avif",  "ico", "bmp", "tif",
    "tiff", "heic", "mp4",  "mov", "webm", "pdf",  "js",    "mjs", "css", "json",
    "map",  "html", "htm",  "php", "zip",  "woff", "woff2", "ttf", "xml", "txt"};

struct Span {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// A decoded character and the number of bytes that encode it: "%40", "%2540" and the full-width
/// form are an `@`.
struct Character {
  char value = 0;
  std::size_t size = 1;
};

/// Decodes the byte at `at`, which may be percent-encoded several times.
Character byte_at(std::string_view text, std::size_t at) {
  const auto rest = text.substr(at);
  if (rest.front() != '%') return {rest.front(), 1};
  std::size_t code = 1;
  while (rest.substr(code, 2) == "25") code += 2;  // "%25" encodes `%`
  for (;; code -= 2) {
    const auto digits = rest.substr(code, 2);
    const auto decoded = percent_decode("%" + std::string(digits));
    if (digits.size() == 2 && decoded && *decoded != "%") return {decoded->front(), code + 2};
    if (code == 1) return {rest.front(), 1};
  }
}

Character character_at(std::string_view text, std::size_t at) {
  const auto first = byte_at(text, at);
  if (first.value != '\xEF' && first.value != '\xE3') return first;
  std::string bytes(1, first.value);
  auto size = first.size;
  while (bytes.size() < 3 && at + size < text.size()) {
    const auto next = byte_at(text, at + size);
    bytes += next.value;
    size += next.size;
  }
  for (const auto& [wide, plain] : kWide) {
    if (bytes == wide) return {plain, size};
  }
  return first;
}

bool is_of_name(char c) {
  return is_of_domain(c) || c == '_' || c == '+' || c == '%' || c == '~' || c == '\'';
}

/// Returns true for the characters that join the parts of a word such as "app-1_2".
bool is_joint(char c) { return c == '-' || c == '_'; }

/// Returns true for a domain such as "mail.example.org", also with a file extension after it, but
/// not for "2x.min.png" or "18.2.0".
bool is_domain(std::string_view text) {
  if (begins_with_version(text)) return false;
  const bool begins_with_digit = !text.empty() && is_ascii_digit(text.front());
  bool has_ending = false;
  for (auto dot = text.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = text.rfind('.')) {
    const auto last = ascii_lower(text.substr(dot + 1));
    const bool is_file =
        std::find(std::begin(kFileEndings), std::end(kFileEndings), last) != std::end(kFileEndings);
    const bool is_number = last.empty() || is_ascii_digit(last.front());
    if (!is_file && !is_number) return last.size() > 1 && !(has_ending && begins_with_digit);
    has_ending = true;
    text = text.substr(0, dot);  // a file extension is removed, as in "jane@example.org.json"
  }
  return false;
}

/// Returns the place of the domain that begins at `from`; nullopt if the text has no domain there.
std::optional<Span> domain_at(std::string_view text, std::size_t from) {
  std::string domain;
  Span found{from, from};
  for (auto at = from; at < text.size() && domain.size() < kMaxOfDomain;) {
    const auto [c, size] = character_at(text, at);
    if (!is_of_domain(c)) break;
    domain += c;
    at += size;
    if (c != '.' && c != '-') found.to = at;
  }
  while (domain.ends_with('.') || domain.ends_with('-')) domain.pop_back();
  return is_domain(domain) ? std::optional(found) : std::nullopt;
}

/// Returns the place of the first e-mail address that begins at or after `start`; nullopt if none.
std::optional<Span> find_email(std::string_view text, std::size_t start) {
  auto name = start;       // start of the characters before `at` that may be a name
  bool is_handle = false;  // true if the name is a handle ("@name"), not the name in an address
  std::optional<std::size_t> open, close;  // positions of the last two quotation marks
  char previous = ' ';
  for (auto at = start; at < text.size();) {
    const auto [c, size] = character_at(text, at);
    if (c == '@') {
      const auto quote = previous == '"' ? open : std::nullopt;  // a quoted name: "ada l"@b.de
      const bool has_name = quote || (name < at && !is_handle);
      const auto domain = has_name ? domain_at(text, at + size) : std::nullopt;
      if (domain) return Span{quote.value_or(name), domain->to};
    }
    if (!is_of_name(c)) {
      is_handle = c == '@' && name == at;
      name = at + size;
    }
    if (c == '"') open = std::exchange(close, at);
    previous = c;
    at += size;
  }
  return std::nullopt;
}

bool is_of_address(char c) {
  return is_ascii_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '.' ||
         c == ':';
}

bool has_v4(std::string_view word) {
  const auto parts = split(word, ':');  // "81.2.69.142:443" has a port
  return std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
    // "120.0.0.0" is the version of a browser.
    return part.find('.') != std::string_view::npos && !part.ends_with(".0.0.0") &&
           parse_address(part);
  });
}

/// Returns true for an IPv6 address, but not for names in source code: "a::b", "dead::beef".
bool is_v6(std::string_view word) {
  const auto parts = split(word, ':');
  const bool is_long = parts.size() > 3 || (parts.size() > 2 && parts.front().size() > 2);
  return is_long && std::any_of(word.begin(), word.end(), is_ascii_digit) && parse_address(word);
}

/// Returns the place of the first IP address that begins at or after `start`; nullopt if none. An
/// IPv4 address must be a separate word, not a part of "app-1.2.3.4".
std::optional<Span> find_address(std::string_view text, std::size_t start, IpAddresses wanted) {
  const auto without_end = [](std::string_view word) {
    while (word.ends_with('.') || word.ends_with(':')) word.remove_suffix(1);
    return word;
  };
  // True if `-` or `_` joins the next characters to an earlier part of the word.
  bool is_inner = false;
  for (auto at = start; at < text.size();) {
    std::string word;
    const auto from = at;
    // Appends characters to `word` while `is_of_kind` accepts them. Returns the first other
    // character, or a space at the end of the text.
    const auto pass = [&](const auto& is_of_kind) {
      while (at < text.size()) {
        const auto [c, size] = character_at(text, at);
        if (!is_of_kind(c)) return c;
        word += c;
        at += size;
      }
      return ' ';
    };
    const auto next = pass(is_of_address);
    const auto whole = without_end(word);
    const bool is_word = !is_inner && !is_of_word(next);
    const bool is_v4 = is_word && wanted == IpAddresses::kRedact && has_v4(whole);
    if (is_v4 || is_v6(word) || is_v6(whole)) return Span{from, at};
    pass([](char c) { return is_of_word(c) && !is_joint(c); });
    is_inner = at < text.size() && is_joint(character_at(text, at).value);
    if (at < text.size()) at += character_at(text, at).size;
  }
  return std::nullopt;
}

std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, size] = character_at(text, at);
    plain += c == '+' ? ' ' : c;
    at += size;
  }
  return plain;
}

/// Returns the place of the first path or parameter of a URL, at or after `start`, that is a
/// User-Agent; nullopt if none. In a path, only the User-Agent of a browser is recognised, because
/// every path contains slashes.
std::optional<Span> find_user_agent(std::string_view url, std::size_t start) {
  for (auto from = start; from < url.size();) {
    const auto to = std::min(url.find_first_of("?&#=", from), url.size());
    const bool is_path = url[from] == '/';
    const auto begin = from + (is_path ? 1 : 0);
    const auto value = decoded(url.substr(begin, to - begin));
    if (is_path ? names_browser(value) : names_user_agent(value)) return Span{begin, to};
    from = to + 1;
  }
  return std::nullopt;
}

/// Replaces each span that `find` returns, at or after `from`, with "(redacted)". Returns the
/// number of replacements.
template <typename Find>
std::size_t redact_each(std::string& text, std::size_t from, Find find) {
  std::size_t found = 0;
  std::size_t done = 0;
  std::string redacted;
  for (auto at = from; const auto span = find(text, at); at = done) {
    redacted.append(text, done, span->from - done).append(kRedacted);
    done = span->to;
    ++found;
  }
  if (done > 0) text = redacted.append(text, done);
  return found;
}

/// Replaces e-mail addresses and IP addresses at or after `from`. Repeats the search, because a
/// replacement can uncover another address: "1.2.3.4:x@b.de".
std::size_t redact_words(std::string& text, std::size_t from, IpAddresses addresses) {
  constexpr int kMaxRounds = 8;
  std::size_t all = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    const auto found = redact_each(text, from, find_email) +
                       redact_each(text, from, [&](std::string_view whole, std::size_t start) {
                         return find_address(whole, start, addresses);
                       });
    if (found == 0) break;
    all += found;
  }
  return all;
}

/// Returns the number of bytes before the host: user, password and `@`.
std::size_t size_of_user(std::string_view authority) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < authority.size();) {
    const auto [c, size] = character_at(authority, at);
    at += size;
    if (c == '@') end = at;
  }
  return end;
}

/// Returns the place of user, host and port in a URL; an empty span for other texts.
Span authority_of(std::string_view url) {
  const auto scheme = std::min(url.find("://"), url.size());
  const bool has_scheme =
      std::all_of(url.begin(), url.begin() + static_cast<std::ptrdiff_t>(scheme),
                  [](char c) { return is_of_name(c) && c != '%'; });
  if (scheme == url.size() || !has_scheme) return {};
  const auto from = scheme + 3;
  return {from, std::min(url.find_first_of("/?#", from), url.size())};
}

/// Returns true for a percent-encoded character of ASCII other than a control character or a
/// space, and for a code that can begin one of kWide.
bool is_encoded_sign(std::string_view code) {
  if (code.size() != 3) return false;
  const auto upper = [](char c) { return static_cast<char>(c & ~0x20); };
  const bool may_be_wide = upper(code[1]) == 'E' && (upper(code[2]) == 'F' || code[2] == '3');
  return may_be_wide || (code[1] >= '2' && code[1] <= '7' && code != "%20");
}

}  // namespace

bool has_email(std::string_view text) { return find_email(text, 0).has_value(); }

bool may_be_personal(std::string_view text) {
  std::size_t dots = 0;
  std::size_t colons = 0;
  bool has_parameter = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_before_digit = i + 1 < text.size() && is_ascii_digit(text[i + 1]);
    if (c == '@' || (c == '%' && is_encoded_sign(text.substr(i, 3)))) return true;
    if (c == '\xEF' || c == '\xE3') return true;  // the byte may begin one of kWide
    if (c == '.' && i > 0 && is_ascii_digit(text[i - 1])) ++dots;
    if (c == ':') colons += i > 0 && text[i - 1] == ':' ? 3U : 1U;
    has_parameter = has_parameter || c == '=' || c == '?' || c == '#' || c == '&';
    if (c == '/' && has_parameter && is_before_digit) return true;
  }
  return dots >= 3 || colons >= 3 || text.find("zilla/") != std::string_view::npos ||
         text.find("ebKit/") != std::string_view::npos || begins_with_product(text) ||
         text.find('(') != std::string_view::npos;
}

std::size_t redact(std::string& text, IpAddresses addresses) {
  if (!may_be_personal(text)) return 0;
  const auto [from, to] = authority_of(text);
  if (to > from) return redact_url(text);
  if (names_user_agent(decoded(text))) {
    text = kRedacted;
    return 1;
  }
  return redact_words(text, 0, addresses);
}

std::size_t redact_url(std::string& url) {
  if (!may_be_personal(url)) return 0;
  std::size_t found = 0;
  auto [from, to] = authority_of(url);
  if (const auto size = size_of_user(std::string_view(url).substr(from, to - from)); size > 0) {
    const bool has_host = from + size < to && url[from + size] != ':';
    const auto instead = has_host ? std::string_view() : kRedacted;
    url.replace(from, size, instead);
    to = to - size + instead.size();
    ++found;
  }
  found += redact_each(url, to, find_user_agent);
  return found + redact_words(url, to, IpAddresses::kRedact);
}

}  // namespace analytics
