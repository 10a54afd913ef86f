#include "daemon/model/wildcard.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace analytics {
namespace {

/// Finds the pieces between the stars one after the other, each as early as it can be: a star that
/// matches anything never gains from a later place.
bool matches_pieces(std::string_view pattern, std::string_view text) {
  while (true) {
    pattern.remove_prefix(std::min(pattern.find_first_not_of('*'), pattern.size()));
    const auto star = pattern.find('*');
    if (star == std::string_view::npos) return text.ends_with(pattern);
    const auto found = text.find(pattern.substr(0, star));
    if (found == std::string_view::npos) return false;
    text.remove_prefix(found + star);
    pattern.remove_prefix(star);
  }
}

/// Runs the pattern as an automaton whose states are bits, all of them a step per byte of the text
/// (Baeza-Yates and Gonnet, "A new approach to text searching", 1992). State n: the first n bytes
/// of the pattern that are no stars have matched.
class BitAutomaton {
 public:
  explicit BitAutomaton(std::string_view pattern) {
    std::string literals;
    for (const auto c : pattern) {
      if (c != '*') literals += c;
    }
    last_ = literals.size();
    words_ = last_ / kBits + 1;
    next_.resize(256 * words_);
    stays_.resize(words_);
    stays_at_slash_.resize(words_);
    for (std::size_t i = 0; i < last_; ++i) set(next(literals[i]), i);
    std::size_t state = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '*') {
        ++state;
        continue;
      }
      set(stays_.data(), state);
      if (i > 0 && pattern[i - 1] == '*') set(stays_at_slash_.data(), state);
    }
  }

  [[nodiscard]] bool accepts(std::string_view text) {
    std::vector<std::uint64_t> states(words_);
    states[0] = 1;
    for (const auto c : text) {
      const auto* moving = next(c);
      const auto& staying = c == '/' ? stays_at_slash_ : stays_;
      std::uint64_t carry = 0;
      for (std::size_t i = 0; i < words_; ++i) {
        const auto moved = states[i] & moving[i];
        states[i] = (states[i] & staying[i]) | (moved << 1U) | carry;
        carry = moved >> (kBits - 1);
      }
    }
    return (states[last_ / kBits] >> (last_ % kBits) & 1U) != 0;
  }

 private:
  static constexpr std::size_t kBits = 64;

  static void set(std::uint64_t* bits, std::size_t state) {
    bits[state / kBits] |= std::uint64_t{1} << (state % kBits);
  }
  std::uint64_t* next(char c) { return &next_[static_cast<unsigned char>(c) * words_]; }

  std::size_t last_ = 0;  ///< The state of a whole match.
  std::size_t words_ = 0;
  std::vector<std::uint64_t> next_;            ///< By byte: the states that it moves on from.
  std::vector<std::uint64_t> stays_;           ///< The states before a star.
  std::vector<std::uint64_t> stays_at_slash_;  ///< The states before `**`.
};

}  // namespace

bool wildcard_matches(std::string_view pattern, std::string_view text, Star star) {
  const auto literal = std::min(pattern.find('*'), pattern.size());
  if (!text.starts_with(pattern.substr(0, literal))) return false;  // nearly always
  if (literal == pattern.size()) return text.size() == literal;
  pattern.remove_prefix(literal);
  text.remove_prefix(literal);
  return star == Star::kAnything ? matches_pieces(pattern, text)
                                 : BitAutomaton(pattern).accepts(text);
}

std::size_t count_wildcards(std::string_view pattern) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    count += pattern[at] == '*' && (at == 0 || pattern[at - 1] != '*') ? 1U : 0U;
  }
  return count;
}

std::string wildcard_problem(std::string_view pattern) {
  const auto count = count_wildcards(pattern);
  if (count > kMaxWildcards) return "has more than 8 wildcards";
  if (count > 0 && pattern.size() > kMaxWildcardBytes) {
    return "is longer than 500 bytes with a wildcard";
  }
  return {};
}

}  // namespace analytics
