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

/// Matches a text if any of the values matches it.
struct TextMatch {
  MatchKind kind = MatchKind::kEquals;
  std::vector<std::string> values;
  bool any_case = false;
  bool operator==(const TextMatch&) const = default;
};

/// Returns the number of instructions of the compiled expression; compilation takes about 1 ms per
/// 1,000 instructions. The error describes the problem with the expression.
[[nodiscard]] tl::expected<std::size_t, std::string> regex_size(const std::string& pattern);

/// A compiled TextMatch. REQUIRES: valid regular expressions. One thread at a time.
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
