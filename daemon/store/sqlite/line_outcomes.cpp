#include "daemon/store/sqlite/line_outcomes.h"

#include <algorithm>

namespace analytics::sqlite {
namespace {

// A run is a byte for its outcome (0: the line does not name the site) and its length, seven bits a
// byte with the lowest first (LEB128).
constexpr std::uint32_t kMostLines = 1'000'000;  // more were never sent at once

void append_number(std::vector<std::uint8_t>& bytes, std::uint32_t number) {
  for (; number >= 0x80; number >>= 7) {
    bytes.push_back(static_cast<std::uint8_t>(number | 0x80));
  }
  bytes.push_back(static_cast<std::uint8_t>(number));
}

/// The number at the front, which is taken off; 0 for one that is damaged.
std::uint32_t take_number(std::span<const std::uint8_t>& bytes) {
  std::uint32_t number = 0;
  for (int shift = 0; shift < 28 && !bytes.empty(); shift += 7) {
    const auto byte = bytes.front();
    bytes = bytes.subspan(1);
    number |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
  return 0;
}

}  // namespace

void LineOutcomes::set(std::uint32_t line, EventOutcome outcome) {
  if (line >= lines_.size()) lines_.resize(line + std::size_t{1});
  auto& known = lines_[line];
  known = known ? std::min(*known, outcome) : outcome;
}

void LineOutcomes::add_to(std::vector<std::optional<EventOutcome>>& lines) const {
  if (lines.size() < lines_.size()) lines.resize(lines_.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!lines_[i]) continue;
    lines[i] = lines[i] ? std::min(*lines[i], *lines_[i]) : *lines_[i];
  }
}

std::vector<std::uint8_t> LineOutcomes::encode() const {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < lines_.size();) {
    const auto end = static_cast<std::size_t>(
        std::find_if(lines_.begin() + static_cast<std::ptrdiff_t>(i), lines_.end(),
                     [&](const auto& each) { return each != lines_[i]; }) -
        lines_.begin());
    bytes.push_back(lines_[i] ? static_cast<std::uint8_t>(static_cast<int>(*lines_[i]) + 1) : 0);
    append_number(bytes, static_cast<std::uint32_t>(end - i));
    i = end;
  }
  return bytes;
}

LineOutcomes LineOutcomes::decode(std::span<const std::uint8_t> bytes) {
  LineOutcomes outcomes;
  while (!bytes.empty()) {
    const auto code = bytes.front();
    bytes = bytes.subspan(1);
    const auto count = take_number(bytes);
    if (count == 0 || outcomes.lines_.size() + count > kMostLines) return outcomes;
    const auto outcome = code == 0 ? std::optional<EventOutcome>()
                                   : static_cast<EventOutcome>(static_cast<int>(code) - 1);
    outcomes.lines_.insert(outcomes.lines_.end(), count, outcome);
  }
  return outcomes;
}

}  // namespace analytics::sqlite
