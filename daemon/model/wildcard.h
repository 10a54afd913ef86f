#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace analytics {

/// Returns true if the whole text matches the pattern. Case matters. Both `*` and `**` match any
/// run of characters, as in Plausible's page goals and filters. The time is proportional to the
/// bytes of the text times the number of wildcards.
[[nodiscard]] bool wildcard_matches(std::string_view pattern, std::string_view text);

/// A set of patterns for exclusions. `*` matches any run of characters except `/`, and `**`
/// matches any run. match() compares a text with all patterns in a single pass, in time
/// proportional to bytes of the text × bytes of all patterns / 64: 0.1 ms for a text of 2,000
/// bytes and patterns of 4,096 bytes in total. Any thread may call match().
class SegmentPatterns {
 public:
  void add(std::string_view pattern);
  [[nodiscard]] bool empty() const { return literals_.empty() && last_.empty(); }
  /// Returns true if the whole text matches a pattern. Case matters.
  [[nodiscard]] bool match(std::string_view text) const;

 private:
  // A bit-parallel automaton: each byte of the text advances all states at once (Baeza-Yates and
  // Gonnet, "A new approach to text searching", 1992). A pattern with n bytes other than stars has
  // n + 1 states; state k is active if the first k of these bytes have matched.
  using Bits = std::vector<std::uint64_t>;

  std::set<std::string, std::less<>> literals_;  ///< Patterns without a star.
  std::size_t states_ = 0;
  Bits first_;           ///< Initial state of each pattern.
  Bits last_;            ///< Final state of each pattern.
  Bits stays_;           ///< States before a star; they stay active, except at '/'.
  Bits stays_at_slash_;  ///< States before a `**`; they stay active.
  /// For each byte: its index in next_; 0 if no pattern contains the byte.
  std::array<std::uint8_t, 256> classes_{};
  std::vector<Bits> next_{Bits()};  ///< For each index in classes_: states that the byte advances.
};

/// Returns the number of wildcards in the pattern; a run of stars counts once.
[[nodiscard]] std::size_t count_wildcards(std::string_view pattern);

/// Limits of stored patterns with wildcards. A pattern without a wildcard may be longer.
inline constexpr std::size_t kMaxWildcards = 8;
inline constexpr std::size_t kMaxWildcardBytes = 500;
/// Returns which limit of stored patterns the pattern exceeds, such as "has more than 8 wildcards";
/// empty if it exceeds none.
[[nodiscard]] std::string wildcard_problem(std::string_view pattern);

}  // namespace analytics
