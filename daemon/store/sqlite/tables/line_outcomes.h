#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "daemon/model/event.h"

namespace analytics::sqlite {

/// The outcome of each line of a bulk request for one site; enough to repeat the first answer. Kept
/// and stored as runs of equal outcomes. A batch that was stored completely takes a few bytes, and
/// a site that only some lines name takes no more than those lines.
class LineOutcomes {
 public:
  /// Sets the outcome of a line, counted from 0. A line with several events keeps the best outcome.
  void set(std::uint32_t line, EventOutcome outcome);
  /// Merges the outcomes into `lines`, the outcomes for other sites. Each line keeps the best one.
  void add_to(std::vector<std::optional<EventOutcome>>& lines) const;

  [[nodiscard]] std::vector<std::uint8_t> encode() const;
  /// Reads the bytes of encode(). Ignores everything from the first damaged byte on.
  [[nodiscard]] static LineOutcomes decode(std::span<const std::uint8_t> bytes);

 private:
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    EventOutcome outcome{};
    [[nodiscard]] std::uint32_t end() const { return first + count; }
  };
  /// Returns the outcomes as disjoint runs in order of their lines, as few as possible.
  [[nodiscard]] std::vector<Run> in_order() const;

  std::vector<Run> runs_;  ///< In the order of set(); a line may be in several runs.
};

}  // namespace analytics::sqlite
