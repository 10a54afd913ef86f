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

/// Returns true if the whole text matches. Case matters. Both `*` and `**` match any run of
/// characters, as in Plausible's page goals and filters. Takes time proportional to bytes of the
/// text × wildcards.
[[nodiscard]] bool wildcard_matches(std::string_view pattern, std::string_view text);

/// A set of patterns, used for exclusions. `*` matches any run of characters except `/`, and `**`
/// any run. A text is matched against all patterns in a single pass of text × bytes of the patterns
/// / 64 steps: 0.1 ms for 2,000 bytes and patterns of 4,096 bytes in total. Any thread may match.
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
  Bits first_;                               ///< Initial state of each pattern.
  Bits last_;                                ///< Final state of each pattern.
  Bits stays_;                               ///< States followed by a star.
  Bits stays_at_slash_;                      ///< States followed by `**`.
  std::array<std::uint8_t, 256> classes_{};  ///< By byte: index into next_; 0: in no pattern.
  std::vector<Bits> next_{Bits()};           ///< By class: states that the byte advances.
};

/// Returns the number of wildcards; a run of stars counts once.
[[nodiscard]] std::size_t count_wildcards(std::string_view pattern);

/// Limits of stored patterns with wildcards. A pattern without a wildcard may be longer.
inline constexpr std::size_t kMaxWildcards = 8;
inline constexpr std::size_t kMaxWildcardBytes = 500;
/// Returns how a pattern exceeds these limits; empty if it does not.
[[nodiscard]] std::string wildcard_problem(std::string_view pattern);

}  // namespace analytics
