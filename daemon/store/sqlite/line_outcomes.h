#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "daemon/model/event.h"

namespace analytics::sqlite {

/// The outcome of each line of a bulk request for one site; enough to repeat the first answer.
/// Stored as runs of equal outcomes, so that a batch of which all was stored takes a few
/// bytes.
class LineOutcomes {
 public:
  /// Lines count from 0. Of a line with several events the best outcome stays.
  void set(std::uint32_t line, EventOutcome outcome);
  /// Merges the outcomes into those of other sites: the best of each line stays.
  void add_to(std::vector<std::optional<EventOutcome>>& lines) const;

  [[nodiscard]] std::vector<std::uint8_t> encode() const;
  /// Reads the bytes of encode(); returns no outcomes for any other bytes.
  [[nodiscard]] static LineOutcomes decode(std::span<const std::uint8_t> bytes);

 private:
  std::vector<std::optional<EventOutcome>> lines_;
};

}  // namespace analytics::sqlite
