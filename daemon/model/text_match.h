#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// Returns the problem with a regular expression; nullopt if it is valid.
[[nodiscard]] std::optional<std::string> regex_problem(const std::string& pattern);

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
