#include "cli/replay/formats/personal_data.h"

#include <algorithm>
#include <optional>

#include "common/text/address.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

constexpr std::string_view kRedacted = "(redacted)";
constexpr std::size_t kMostOfDomain = 253;  // characters

/// Parts of keys, and whole keys, that show that the value identifies a person; in lower case and
/// without `_` and `-`.
constexpr std::string_view kPersonalParts[] = {
    "email",    "mail",       "phone",       "userid",     "username",  "fullname", "firstname",
    "lastname", "customerid", "anonymousid", "distinctid", "ipaddress", "clientip", "surname"};
constexpr std::string_view kPersonalKeys[] = {"user", "traits", "tel", "ip", "address", "login"};

/// File extensions that do not end a domain: in a file name, `@` may precede a picture's scale
/// ("logo@2x.png") or a script's version.
constexpr std::string_view kFileEndings[] = {"png", "jpg", "jpeg", "gif",   "svg",  "webp", "avif",
                                             "ico", "js",  "mjs",  "css",   "json", "map",  "html",
                                             "htm", "php", "woff", "woff2", "ttf",  "xml",  "txt"};

struct Span {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// A decoded character and the number of bytes that encode it: "%40" and "%2540" are an `@`.
struct Character {
  char value = 0;
  std::size_t size = 1;
};

Character character_at(std::string_view text, std::size_t at) {
  for (const std::string_view sign : {"%25", "%"}) {
    const auto code = text.substr(std::min(at + sign.size(), text.size()), 2);
    if (text.substr(at, sign.size()) != sign || code.size() < 2) continue;
    const auto decoded = percent_decode("%" + std::string(code));
    if (decoded && *decoded != "%") return {decoded->front(), sign.size() + 2};
  }
  return {text[at], 1};
}

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

bool is_of_domain(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || is_ascii_digit(c) || c == '.' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_of_name(char c) {
  return is_of_domain(c) || c == '_' || c == '+' || c == '%' || c == '~' || c == '\'';
}

/// Returns true for a domain such as "mail.example.org", also with a file extension after it, but
/// not for "2x.min.png" or "18.2.0".
bool is_domain(std::string_view text) {
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
    text = text.substr(0, dot);  // "jane@example.org.json", "bob@example.org.1"
  }
  return false;
}

/// Returns the place of the domain that begins at `from`; nullopt if the text has no domain there.
std::optional<Span> domain_at(std::string_view text, std::size_t from) {
  std::string domain;
  Span found{from, from};
  for (auto at = from; at < text.size() && domain.size() < kMostOfDomain;) {
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
  auto name = start;  // start of the characters before `at` that may belong to a name
  for (auto at = start; at < text.size();) {
    const auto [c, size] = character_at(text, at);
    if (c == '@' && name < at) {
      if (const auto domain = domain_at(text, at + size)) return Span{name, domain->to};
    }
    at += size;
    if (!is_of_name(c)) name = at;
  }
  return std::nullopt;
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

}  // namespace

bool is_personal_key(std::string_view key) {
  auto plain = ascii_lower(key);
  const auto outer = plain.substr(0, plain.find_first_of(".["));  // "user.name", "traits[name]"
  constexpr std::string_view kSigns = "_- $.[]";
  std::erase_if(plain, [&](char c) { return kSigns.find(c) != std::string_view::npos; });
  const auto has_part = [&](std::string_view part) { return plain.find(part) != plain.npos; };
  const auto is_known = [](std::string_view name) {
    return std::find(std::begin(kPersonalKeys), std::end(kPersonalKeys), name) !=
           std::end(kPersonalKeys);
  };
  return std::any_of(std::begin(kPersonalParts), std::end(kPersonalParts), has_part) ||
         is_known(plain) || is_known(outer) || has_email(key);
}

bool is_address_of(std::string_view key, std::string_view value) {
  if (ascii_lower(key).find("version") != std::string::npos) return false;
  const auto parts = split(value, ',');
  return std::any_of(parts.begin(), parts.end(),
                     [](std::string_view part) { return parse_address(part).has_value(); });
}

bool has_email(std::string_view text) { return find_email(text, 0).has_value(); }

std::size_t redact_emails(std::string& url) {
  std::size_t found = 0;
  auto [from, to] = authority_of(url);
  const auto user = std::string_view(url).substr(0, to).rfind('@');
  if (to > 0 && user != std::string_view::npos && user >= from) {
    url.erase(from, user + 1 - from);
    to -= user + 1 - from;
    ++found;
  }
  std::string redacted;
  std::size_t done = 0;
  for (auto at = to; const auto email = find_email(url, at); at = done) {
    redacted.append(url, done, email->from - done).append(kRedacted);
    done = email->to;
    ++found;
  }
  if (done > 0) url = redacted.append(url, done);
  return found;
}

}  // namespace analytics::cli
