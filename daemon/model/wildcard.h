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

/// True if the whole text matches; case counts. Both `*` and `**` match any run of characters, as
/// in Plausible's page goals and filters. Time: text × number of wildcards.
[[nodiscard]] bool wildcard_matches(std::string_view pattern, std::string_view text);

/// Patterns in which `*` matches any run of characters except `/`, and `**` any run: exclusions.
/// Matches a text against all of them in one pass, which takes text × bytes of the patterns / 64;
/// 0.1 ms for 2,000 bytes and patterns of 4,096 bytes together. Any thread may match.
class SegmentPatterns {
 public:
  void add(std::string_view pattern);
  [[nodiscard]] bool empty() const { return literals_.empty() && last_.empty(); }
  /// True if the whole text matches one of the patterns; case counts.
  [[nodiscard]] bool match(std::string_view text) const;

 private:
  // An automaton whose states are bits; all of them take a step per byte of the text (Baeza-Yates
  // and Gonnet, "A new approach to text searching", 1992). A pattern of n bytes that are no stars
  // has n + 1 states; it is in state k if its first k bytes have matched.
  using Bits = std::vector<std::uint64_t>;

  std::set<std::string, std::less<>> literals_;  ///< Patterns without a star.
  std::size_t states_ = 0;
  Bits first_;                               ///< The state in which each pattern begins.
  Bits last_;                                ///< The state of each whole match.
  Bits stays_;                               ///< The states before a star.
  Bits stays_at_slash_;                      ///< The states before `**`.
  std::array<std::uint8_t, 256> classes_{};  ///< By byte: index into next_; 0: in no pattern.
  std::vector<Bits> next_{Bits()};           ///< By class: the states that the byte moves on from.
};

/// The number of wildcards: a run of stars is one.
[[nodiscard]] std::size_t count_wildcards(std::string_view pattern);

/// Limits of stored patterns with wildcards; a pattern without one may be longer.
inline constexpr std::size_t kMaxWildcards = 8;
inline constexpr std::size_t kMaxWildcardBytes = 500;
/// Why a pattern is over these bounds; empty: it is not.
[[nodiscard]] std::string wildcard_problem(std::string_view pattern);

}  // namespace analytics
