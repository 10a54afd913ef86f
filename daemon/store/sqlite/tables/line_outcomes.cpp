#include "daemon/store/sqlite/tables/line_outcomes.h"

#include <algorithm>
#include <tuple>

namespace analytics::sqlite {
namespace {

// A run of lines with the same outcome is stored as a byte for the outcome (0 if the lines do not
// name the site), followed by the number of lines, seven bits per byte with the lowest first
// (LEB128).

constexpr std::uint32_t kMaxLines = 1'000'000;  // maximum number of lines of a bulk request

void append_number(std::vector<std::uint8_t>& bytes, std::uint32_t number) {
  for (; number >= 0x80; number >>= 7) {
    bytes.push_back(static_cast<std::uint8_t>(number | 0x80));
  }
  bytes.push_back(static_cast<std::uint8_t>(number));
}

/// Removes a LEB128 number from the front of `bytes` and returns it; 0 if it is damaged.
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
  if (!runs_.empty() && runs_.back().end() == line && runs_.back().outcome == outcome) {
    ++runs_.back().count;
  } else {
    runs_.push_back({line, 1, outcome});
  }
}

void LineOutcomes::add_to(std::vector<std::optional<EventOutcome>>& lines) const {
  for (const auto& run : runs_) {
    if (lines.size() < run.end()) lines.resize(run.end());
    for (auto i = run.first; i < run.end(); ++i) {
      lines[i] = std::min(lines[i].value_or(run.outcome), run.outcome);
    }
  }
}

std::vector<LineOutcomes::Run> LineOutcomes::in_order() const {
  const auto overlaps = [](const Run& a, const Run& b) { return b.first < a.end(); };
  if (std::adjacent_find(runs_.begin(), runs_.end(), overlaps) == runs_.end()) return runs_;
  std::vector<Run> singles;
  for (const auto& run : runs_) {
    for (auto i = run.first; i < run.end(); ++i) singles.push_back({i, 1, run.outcome});
  }
  std::sort(singles.begin(), singles.end(), [](const Run& a, const Run& b) {
    return std::tie(a.first, a.outcome) < std::tie(b.first, b.outcome);
  });
  LineOutcomes ordered;
  for (const auto& [line, count, outcome] : singles) {
    const bool is_known = !ordered.runs_.empty() && ordered.runs_.back().end() > line;
    // `singles` has a line's best outcome first, because outcomes sort from best to worst.
    if (!is_known) ordered.set(line, outcome);
  }
  return std::move(ordered.runs_);
}

std::vector<std::uint8_t> LineOutcomes::encode() const {
  std::vector<std::uint8_t> bytes;
  std::uint32_t next = 0;
  const auto append = [&](std::uint8_t code, std::uint32_t count) {
    bytes.push_back(code);
    append_number(bytes, count);
  };
  for (const auto& run : in_order()) {
    if (run.first > next) append(0, run.first - next);
    append(static_cast<std::uint8_t>(static_cast<int>(run.outcome) + 1), run.count);
    next = run.end();
  }
  return bytes;
}

LineOutcomes LineOutcomes::decode(std::span<const std::uint8_t> bytes) {
  LineOutcomes outcomes;
  std::uint32_t next = 0;
  while (!bytes.empty()) {
    const auto code = bytes.front();
    bytes = bytes.subspan(1);
    const auto count = take_number(bytes);
    if (count == 0 || count > kMaxLines - next) return outcomes;
    if (code != 0) {
      outcomes.runs_.push_back(
          {next, count, static_cast<EventOutcome>(static_cast<int>(code) - 1)});
    }
    next += count;
  }
  return outcomes;
}

}  // namespace analytics::sqlite
