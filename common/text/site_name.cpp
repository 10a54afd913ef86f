#include "common/text/site_name.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include <idn2.h>
#include <utf8proc.h>

#include "common/text/text.h"

namespace analytics {
namespace {

constexpr std::size_t kMaxBytes = 253;
constexpr int kMaxRounds = 4;
constexpr std::string_view kReserved[] = {"goals", "shared-links", "custom-props", "guests",
                                          "teams"};

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
template <typename T>
using CString = std::unique_ptr<T, Free>;

/// Returns true if the name is certainly in normal form, as nearly all names are. The hot path then
/// needs none of the Unicode tables below.
bool is_plain(std::string_view text) {
  return text.size() <= kMaxBytes && !text.empty() && text.find("xn--") == std::string_view::npos &&
         !text.starts_with("www.") && !text.ends_with('.') &&
         text.find_first_of("abcdefghijklmnopqrstuvwxyz0123456789") != std::string_view::npos &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
                  c == '_';
         });
}

bool is_reserved(std::string_view domain) {
  return std::find(std::begin(kReserved), std::end(kReserved), domain) != std::end(kReserved);
}

/// Returns the text in lower case and composed (NFC). REQUIRES: valid UTF-8.
std::string fold(std::string_view text) {
  std::string lower;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t code_point = 0;
    at += static_cast<std::size_t>(
        utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(text.size() - at), &code_point));
    utf8proc_uint8_t encoded[4];
    const auto size = utf8proc_encode_char(utf8proc_tolower(code_point), encoded);
    lower.append(reinterpret_cast<const char*>(encoded), static_cast<std::size_t>(size));
  }
  utf8proc_uint8_t* composed = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(lower.data()),
                   static_cast<utf8proc_ssize_t>(lower.size()), &composed,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const CString<utf8proc_uint8_t> owner(composed);
  if (size < 0) return lower;
  return {reinterpret_cast<const char*>(composed), static_cast<std::size_t>(size)};
}

/// Returns the Unicode form of an `xn--` label; any other label unchanged.
std::string decode_label(std::string_view label) {
  if (!label.starts_with("xn--")) return std::string(label);
  char* decoded = nullptr;
  const int code = idn2_to_unicode_8z8z(std::string(label).c_str(), &decoded, 0);
  const CString<char> owner(decoded);
  return code == IDN2_OK && *decoded != '\0' ? fold(decoded) : std::string(label);
}

/// Decodes the `xn--` labels before the first `/`.
std::string decode_labels(const std::string& domain) {
  if (domain.find("xn--") == std::string::npos) return domain;
  const auto slash = domain.find('/');
  std::vector<std::string> labels;
  for (const auto label : split(std::string_view(domain).substr(0, slash), '.')) {
    labels.push_back(decode_label(label));
  }
  return join(labels, ".") + (slash == std::string::npos ? "" : domain.substr(slash));
}

/// Removes scheme, `www.`, white space, a final slash and, from a name without a path, the final
/// dot. Repeats this until nothing changes, so that a name in normal form stays as it is.
std::string_view strip(std::string_view text) {
  while (true) {
    const auto before = text.size();
    text = trim(text);
    for (const std::string_view prefix : {"http://", "https://", "www."}) {
      if (istarts_with(text, prefix)) text.remove_prefix(prefix.size());
    }
    if (text.ends_with('/') && !text.ends_with("//")) text.remove_suffix(1);
    if (text.ends_with('.') && text.find('/') == std::string_view::npos) text.remove_suffix(1);
    if (text.size() == before) return text;
  }
}

bool is_letter_or_digit(std::int32_t code_point) {
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:  // marks that are part of a letter, as in Devanagari
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND: return true;
    default: return false;
  }
}

/// Returns the problem with a stripped and folded domain; empty if it is valid.
std::string problem_with(std::string_view domain) {
  if (domain.empty()) return "is empty";
  if (domain.size() > kMaxBytes) return longer_than(kMaxBytes, "bytes");
  if (is_reserved(domain)) return "is a reserved word";
  if (domain.front() == '/' || domain.back() == '/') return "must not begin or end with '/'";
  if (domain.find("//") != std::string_view::npos) return "has an empty path segment";
  if (domain.find("  ") != std::string_view::npos) return "has two spaces in a row";
  bool has_letter = false;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(domain.data());
  for (std::size_t at = 0; at < domain.size();) {
    utf8proc_int32_t code_point = 0;
    const auto length = static_cast<std::size_t>(utf8proc_iterate(
        bytes + at, static_cast<utf8proc_ssize_t>(domain.size() - at), &code_point));
    if (is_letter_or_digit(code_point)) {
      has_letter = true;
    } else if (length != 1 ||
               std::string_view("-_./ ").find(domain[at]) == std::string_view::npos) {
      return "may not contain '" + visible(domain.substr(at, length)) + "'";
    }
    at += length;
  }
  return has_letter ? "" : "needs a letter or digit";
}

}  // namespace

std::string unicode_host(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const bool is_ascii = std::all_of(host.begin(), host.end(),
                                    [](char c) { return static_cast<signed char>(c) >= 0; });
  auto lower = ascii_lower(host);
  if (is_ascii) return decode_labels(lower);
  return decode_labels(fold(repair_utf8(host)));
}

Result<std::string> normalise_domain(std::string_view text) {
  if (is_plain(text) && !is_reserved(text)) return std::string(text);
  const auto refuse = [](const std::string& problem) {
    return fail({ErrorCode::kInvalidDomain, "The domain " + problem + ".", {{"domain", problem}}});
  };
  if (!is_valid_utf8(text)) return refuse("is not valid UTF-8");
  if (has_control(trim(text))) return refuse("has control characters");
  // Decoding may uncover text that must be decoded again, so this repeats until nothing changes.
  std::string domain(text);
  for (int round = 0;; ++round) {
    const auto before = domain;
    domain = decode_labels(fold(strip(before)));
    domain = strip(domain);
    if (domain == before) break;
    if (round == kMaxRounds) return refuse("cannot be normalised");
  }
  if (const auto problem = problem_with(domain); !problem.empty()) return refuse(problem);
  return domain;
}

}  // namespace analytics
