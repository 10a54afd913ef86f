#include "common/text/user_agent_text.h"

#include <algorithm>
#include <optional>
#include <string>

#include "common/text/text.h"

namespace analytics {
namespace {

/// HTTP libraries and programs whose whole User-Agent may be "name/version".
constexpr std::string_view kClients[] = {"aiohttp",
                                         "apache-httpclient",
                                         "axios",
                                         "chrome",
                                         "curl",
                                         "dart",
                                         "edg",
                                         "firefox",
                                         "go-http-client",
                                         "guzzlehttp",
                                         "httpie",
                                         "httpx",
                                         "insomnia",
                                         "java",
                                         "libcurl",
                                         "libwww-perl",
                                         "lynx",
                                         "node-fetch",
                                         "okhttp",
                                         "opr",
                                         "postmanruntime",
                                         "python-httpx",
                                         "python-requests",
                                         "python-urllib",
                                         "reqwest",
                                         "safari",
                                         "undici",
                                         "wget",
                                         "winhttp"};

/// Systems that the comment of a User-Agent names: "(iPhone14,5; iOS 16_6; de_DE)".
constexpr std::string_view kSystems[] = {"Linux",  "Android", "Windows", "Mac",       "X11",
                                         "iPhone", "iPad",    "iOS",     "compatible"};

/// Returns the version in a word such as "Firefox/120.0" of a User-Agent; nullopt for other words,
/// such as "24/7" and "Profile/MIDP-2.0".
std::optional<std::string_view> product_version(std::string_view word) {
  if (!begins_with_product(word)) return std::nullopt;
  const auto slash = word.find('/');
  const auto name = word.substr(0, slash);
  const auto version = word.substr(slash + 1);
  const auto is_of_version = [](char c) { return is_of_domain(c) || c == '_' || c == '+'; };
  const bool fits = std::all_of(version.begin(), version.end(), is_of_version) &&
                    !std::all_of(name.begin(), name.end(), is_ascii_digit);
  return fits ? std::optional(version) : std::nullopt;
}

bool has_dot(std::string_view text) { return text.find('.') != std::string_view::npos; }

/// Returns true if a comment names a system with its version: "(Linux; Android 14", but not
/// "(Windows; 64-bit)".
bool has_system(std::string_view comment) {
  return std::any_of(std::begin(kSystems), std::end(kSystems), [&](std::string_view system) {
    const auto at = comment.find(system);
    if (at == comment.npos) return false;
    const auto rest = comment.substr(at + system.size());
    return rest.substr(0, rest.find(';')).find_first_of("0123456789") != rest.npos;
  });
}

/// Returns true if the text has a comment (in parentheses) that names a system, with a version
/// before or in the comment, as in a User-Agent that may be cut off: "Instagram 301.0 (iPhone14,5;
/// iOS 16_6".
bool names_system(std::string_view plain) {
  for (std::size_t from = 0; from < plain.size();) {
    const auto close = std::min(plain.find(')', from), plain.size());
    const auto part = plain.substr(from, close - from);
    const auto open = std::min(part.find('('), part.size());
    const auto before = trim(part.substr(0, open));
    const auto comment = part.substr(std::min(open + 1, part.size()));
    const bool has_version =
        begins_with_version(comment) || begins_with_version(before.substr(before.rfind(' ') + 1));
    if (has_version && comment.find(';') != comment.npos && has_system(comment)) return true;
    from = close + 1;
  }
  return false;
}

/// Returns true for the name and version of one of kClients: "curl/8.5.0".
bool is_client(std::string_view word) {
  const auto version = product_version(word);
  if (!version || !begins_with_version(*version)) return false;
  const auto name = ascii_lower(word.substr(0, word.find('/')));
  return std::find(std::begin(kClients), std::end(kClients), name) != std::end(kClients);
}

}  // namespace

bool begins_with_version(std::string_view text) {
  const auto dot = text.find_first_not_of("0123456789");
  return dot != std::string_view::npos && dot > 0 && text[dot] == '.' && dot + 1 < text.size() &&
         is_ascii_digit(text[dot + 1]);
}

bool names_browser(std::string_view plain) {
  for (const std::string_view product : {"Mozilla/", "AppleWebKit/"}) {
    for (auto at = plain.find(product); at != plain.npos; at = plain.find(product, at + 1)) {
      if (begins_with_version(plain.substr(at + product.size()))) return true;
    }
  }
  return false;
}

bool names_user_agent(std::string_view text) {
  const auto plain = trim(text);
  if (names_browser(plain) || names_system(plain)) return true;
  const auto words = split(plain, ' ');
  if (words.size() == 1) return is_client(plain);
  const auto first = product_version(words.front());
  const bool has_comment = words[1].starts_with('(') && !words[1].starts_with(kRedacted);
  if (first && has_dot(*first) && has_comment) return true;
  return first && std::any_of(words.begin() + 1, words.end(), [&](std::string_view word) {
           const auto other = product_version(word);
           return other && (has_dot(*other) || has_dot(*first));
         });
}

bool begins_with_product(std::string_view text) {
  const auto slash = text.find('/');
  return slash != std::string_view::npos && slash > 0 && slash + 1 < text.size() &&
         is_ascii_digit(text[slash + 1]) &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(slash), is_of_word);
}

}  // namespace analytics
