#include "cli/replay/progress/byte_ranges.h"

#include <algorithm>

namespace analytics::cli {

std::string to_text(const ByteRange& range) {
  return std::to_string(range.from) + "-" + std::to_string(range.to);
}

void ByteRanges::add(ByteRange range) {
  if (range.from >= range.to) return;
  auto at = ranges_.upper_bound(range.from);
  if (at != ranges_.begin() && std::prev(at)->second >= range.from) {
    --at;
    at->second = std::max(at->second, range.to);
  } else {
    at = ranges_.emplace_hint(at, range.from, range.to);
  }
  for (auto next = std::next(at); next != ranges_.end() && next->first <= at->second;) {
    at->second = std::max(at->second, next->second);
    next = ranges_.erase(next);
  }
}

void ByteRanges::add(const ByteRanges& other) {
  for (const auto& [from, to] : other.ranges_) add({from, to});
}

ByteRange ByteRanges::around(std::uint64_t byte) const {
  const auto behind = ranges_.upper_bound(byte);
  if (behind == ranges_.begin()) return {byte, byte};
  const auto& [from, to] = *std::prev(behind);
  return to > byte ? ByteRange{from, to} : ByteRange{byte, byte};
}

bool ByteRanges::contains(ByteRange range) const {
  return range.from >= range.to || around(range.from).to >= range.to;
}

bool ByteRanges::contains(const ByteRanges& other) const {
  return std::all_of(other.ranges_.begin(), other.ranges_.end(), [&](const auto& range) {
    return contains({range.first, range.second});
  });
}

}  // namespace analytics::cli
