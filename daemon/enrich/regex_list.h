#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analytics {

/// Finds the first of many regular expressions that matches a text, in time linear in the text
/// (RE2). It first searches the text for literals that the expressions require, and tries only
/// expressions whose literals it finds, which excludes nearly all. Any thread after compile().
class RegexList {
 public:
  /// A match. `groups[0]` is the whole match; the others are the capture groups, empty if unused.
  struct Match {
    std::size_t index = 0;  ///< Index of the expression, in the order of add().
    std::array<std::string_view, 10> groups;
  };

  RegexList();
  ~RegexList();
  RegexList(RegexList&&) noexcept;
  RegexList& operator=(RegexList&&) noexcept;

  /// Adds an expression. Returns an error message; empty if the expression was added.
  std::string add(const std::string& regex, bool any_case);
  /// Prepares the list for first_match(). Call it once, after the last add().
  void compile();
  [[nodiscard]] std::size_t size() const;
  /// Returns the match of the first expression that matches; nullopt if none does. The groups point
  /// into `text`.
  [[nodiscard]] std::optional<Match> first_match(std::string_view text) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace analytics
