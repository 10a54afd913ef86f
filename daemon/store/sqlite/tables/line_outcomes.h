#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "daemon/model/event.h"

namespace analytics::sqlite {

/// The outcomes of the lines of a bulk request for one site, stored so that a repeated request
/// gets the same answer. Runs of equal outcomes are stored together: a batch that was stored
/// completely takes a few bytes.
class LineOutcomes {
 public:
  /// Sets the outcome of a line, counted from 0. A line with several events keeps the best outcome.
  void set(std::uint32_t line, EventOutcome outcome);
  /// Merges the outcomes into `lines`, which has the outcomes for other sites by line number. Each
  /// line keeps the best outcome.
  void add_to(std::vector<std::optional<EventOutcome>>& lines) const;

  /// Returns the outcomes as bytes to store.
  [[nodiscard]] std::vector<std::uint8_t> encode() const;
  /// Reads bytes made by encode(). Ignores everything from the first damaged byte on.
  [[nodiscard]] static LineOutcomes decode(std::span<const std::uint8_t> bytes);

 private:
  /// Consecutive lines with the same outcome.
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    EventOutcome outcome{};
    [[nodiscard]] std::uint32_t end() const { return first + count; }
  };
  /// Returns the outcomes as disjoint runs, as few as possible, in order of lines.
  [[nodiscard]] std::vector<Run> in_order() const;

  std::vector<Run> runs_;  ///< Runs in the order of set() calls; a line may be in several runs.
};

}  // namespace analytics::sqlite
