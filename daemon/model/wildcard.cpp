#include "daemon/model/wildcard.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics {
namespace {

/// Matches a pattern that begins with a star. Finds the pieces between stars one after another,
/// each at its earliest position. A later position never helps, because a star matches anything.
bool match_pieces(std::string_view pattern, std::string_view text) {
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

constexpr std::size_t kBits = 64;

void set(std::vector<std::uint64_t>& bits, std::size_t state) {
  bits.resize(std::max(bits.size(), state / kBits + 1));
  bits[state / kBits] |= std::uint64_t{1} << (state % kBits);
}

}  // namespace

bool wildcard_matches(std::string_view pattern, std::string_view text) {
  const auto literal = std::min(pattern.find('*'), pattern.size());
  if (!text.starts_with(pattern.substr(0, literal))) return false;  // this check rejects most texts
  if (literal == pattern.size()) return text.size() == literal;
  return match_pieces(pattern.substr(literal), text.substr(literal));
}

void SegmentPatterns::add(std::string_view pattern) {
  if (pattern.find('*') == std::string_view::npos) {
    literals_.emplace(pattern);
    return;
  }
  set(first_, states_);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*') {
      set(stays_, states_);
      if (i > 0 && pattern[i - 1] == '*') set(stays_at_slash_, states_);
      continue;
    }
    auto& index = classes_[static_cast<unsigned char>(pattern[i])];
    if (index == 0) {
      index = static_cast<std::uint8_t>(next_.size());
      next_.emplace_back();
    }
    set(next_[index], states_++);
  }
  set(last_, states_++);
  const auto words = states_ / kBits + 1;
  for (auto* bits : {&first_, &last_, &stays_, &stays_at_slash_}) bits->resize(words);
  for (auto& bits : next_) bits.resize(words);
}

bool SegmentPatterns::match(std::string_view text) const {
  if (literals_.contains(text)) return true;
  if (last_.empty()) return false;
  const auto words = last_.size();
  auto state_bits = first_;
  Bits moved_bits(words);
  // Plain pointers let the compiler vectorise the loops.
  auto* states = state_bits.data();
  auto* moved = moved_bits.data();
  for (const auto c : text) {
    const auto* moving = next_[classes_[static_cast<unsigned char>(c)]].data();
    const auto* staying = (c == '/' ? stays_at_slash_ : stays_).data();
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < words; ++i) {
      moved[i] = states[i] & moving[i];
      states[i] = (states[i] & staying[i]) | (moved[i] << 1U);
      any |= states[i] | moved[i];
    }
    if (any == 0) return false;  // most texts fail here after a few bytes
    for (std::size_t i = 1; i < words; ++i) states[i] |= moved[i - 1] >> (kBits - 1);
  }
  std::uint64_t matched = 0;
  for (std::size_t i = 0; i < words; ++i) matched |= states[i] & last_[i];
  return matched != 0;
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
  if (count > kMaxWildcards) return "has more than " + std::to_string(kMaxWildcards) + " wildcards";
  if (count > 0 && pattern.size() > kMaxWildcardBytes) {
    return longer_than(kMaxWildcardBytes, "bytes") + " with a wildcard";
  }
  return {};
}

}  // namespace analytics
