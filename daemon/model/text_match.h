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
  kRegex,     ///< Anywhere in the text; RE2's syntax, linear time.
  kWildcard,  ///< `*` and `**` are any run of characters; anchored.
};

/// Matches texts against values: one of them must match.
struct TextMatch {
  MatchKind kind = MatchKind::kEquals;
  std::vector<std::string> values;
  bool any_case = false;
  bool operator==(const TextMatch&) const = default;
};

/// The instructions of a regular expression's program; it takes about 1 ms per 1,000 to compile
/// them. The error is what is wrong with the expression.
[[nodiscard]] tl::expected<std::size_t, std::string> regex_size(const std::string& pattern);

/// A TextMatch made ready. REQUIRES: regular expressions without a problem. One thread at a time.
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
