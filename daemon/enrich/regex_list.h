#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analytics {

/// Regular expressions in order, of which the first that matches counts. Linear in the text (RE2).
/// A text is looked through for the literals that the expressions cannot do without, and only those
/// whose literals it has are tried: nearly all are spared. Any thread once it is compiled.
class RegexList {
 public:
  /// The texts of the capture groups; empty for groups that did not take part.
  struct Match {
    std::size_t index = 0;  ///< In the order of add().
    std::array<std::string_view, 10> groups;
  };

  RegexList();
  ~RegexList();
  RegexList(RegexList&&) noexcept;
  RegexList& operator=(RegexList&&) noexcept;

  /// The problem with the expression; empty when there is none and it was added.
  std::string add(const std::string& regex, bool any_case);
  /// Once, after the last add().
  void compile();
  [[nodiscard]] std::size_t size() const;
  /// The groups point into `text`.
  [[nodiscard]] std::optional<Match> first_match(std::string_view text) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace analytics
