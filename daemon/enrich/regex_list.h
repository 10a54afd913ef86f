#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analytics {

/// A list of regular expressions, of which the first that matches is used. Takes linear time (RE2).
/// It searches the text for literals that the expressions require, and tries only expressions whose
/// literals it finds, which excludes nearly all. Any thread after compile().
class RegexList {
 public:
  /// A match, with the texts of the capture groups; empty for groups that did not take part.
  struct Match {
    std::size_t index = 0;  ///< Index in the order of add().
    std::array<std::string_view, 10> groups;
  };

  RegexList();
  ~RegexList();
  RegexList(RegexList&&) noexcept;
  RegexList& operator=(RegexList&&) noexcept;

  /// Adds an expression. Returns its problem; empty if it was added.
  std::string add(const std::string& regex, bool any_case);
  /// Prepares the list. Call once, after the last add().
  void compile();
  [[nodiscard]] std::size_t size() const;
  /// Returns the first expression that matches. The groups point into `text`.
  [[nodiscard]] std::optional<Match> first_match(std::string_view text) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace analytics
