#include "daemon/model/text_match.h"

#include <algorithm>
#include <cstdlib>

#include <re2/re2.h>
#include <utf8proc.h>

#include "daemon/model/wildcard.h"

namespace analytics {
namespace {

/// Maximum size in bytes of a compiled regular expression and its automaton. Also limits the time
/// of compilation: `\pL{100}` is rejected after 40 ms.
constexpr std::int64_t kRegexMemory = 524'288;

RE2::Options options(bool any_case) {
  RE2::Options options;
  options.set_case_sensitive(!any_case);
  options.set_log_errors(false);
  options.set_max_mem(kRegexMemory);
  return options;
}

/// Returns the text with Unicode case folding applied, so that texts that differ only in case
/// become equal.
std::string fold_case(std::string_view text) {
  utf8proc_uint8_t* folded = nullptr;
  const auto size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
      static_cast<utf8proc_ssize_t>(text.size()), &folded,
      static_cast<utf8proc_option_t>(UTF8PROC_CASEFOLD | UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (size < 0) return std::string(text);
  std::string result(reinterpret_cast<const char*>(folded), static_cast<std::size_t>(size));
  std::free(folded);
  return result;
}

bool value_matches(MatchKind kind, std::string_view value, std::string_view text) {
  switch (kind) {
    case MatchKind::kEquals: return text == value;
    case MatchKind::kContains: return text.find(value) != std::string_view::npos;
    case MatchKind::kWildcard: return wildcard_matches(value, text);
    case MatchKind::kRegex: break;
  }
  return false;
}

}  // namespace

tl::expected<std::size_t, std::string> regex_size(const std::string& pattern) {
  const RE2 regex(pattern, options(false));
  if (!regex.ok()) return tl::unexpected(regex.error());
  return static_cast<std::size_t>(regex.ProgramSize());
}

struct TextMatcher::Regexes {
  std::vector<std::unique_ptr<RE2>> all;
};

TextMatcher::TextMatcher(const TextMatch& match) : match_(match) {
  if (match_.kind == MatchKind::kRegex) {
    regexes_ = std::make_unique<Regexes>();
    for (const auto& value : match_.values) {
      regexes_->all.push_back(std::make_unique<RE2>(value, options(match_.any_case)));
    }
  } else if (match_.any_case) {
    for (auto& value : match_.values) value = fold_case(value);
  }
}

TextMatcher::~TextMatcher() = default;
TextMatcher::TextMatcher(TextMatcher&&) noexcept = default;

bool TextMatcher::matches(std::string_view text) const {
  if (regexes_ != nullptr) {
    return std::any_of(regexes_->all.begin(), regexes_->all.end(), [&](const auto& regex) {
      return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex);
    });
  }
  const auto folded = match_.any_case ? fold_case(text) : std::string();
  const auto looked_at = match_.any_case ? std::string_view(folded) : text;
  return std::any_of(match_.values.begin(), match_.values.end(), [&](const std::string& value) {
    return value_matches(match_.kind, value, looked_at);
  });
}

}  // namespace analytics
