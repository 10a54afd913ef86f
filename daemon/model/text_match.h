#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace analytics {

enum class MatchKind {
  kEquals,
  kContains,
  kRegex,     ///< RE2 syntax; matches anywhere in the text, in linear time.
  kWildcard,  ///< `*` and `**` match any run of characters; matches the whole text.
};

/// A rule for comparing texts. A text matches if at least one of `values` matches it.
struct TextMatch {
  MatchKind kind = MatchKind::kEquals;
  std::vector<std::string> values;
  bool any_case = false;  ///< If true, the comparison ignores case.
  bool operator==(const TextMatch&) const = default;
};

/// Compiles an RE2 expression and returns its number of instructions, a measure of its cost:
/// compilation takes about 1 ms per 1,000 instructions. The error says why the expression is
/// invalid.
[[nodiscard]] tl::expected<std::size_t, std::string> regex_size(const std::string& pattern);

/// A TextMatch with its regular expressions compiled. Use it on one thread at a time. REQUIRES:
/// the expressions are valid.
class TextMatcher {
 public:
  explicit TextMatcher(const TextMatch& match);
  ~TextMatcher();
  TextMatcher(TextMatcher&&) noexcept;
  TextMatcher& operator=(TextMatcher&&) = delete;

  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  struct Regexes;
  TextMatch match_;
  std::unique_ptr<Regexes> regexes_;
};

}  // namespace analytics
