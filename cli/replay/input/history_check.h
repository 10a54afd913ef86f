#pragma once

#include <cstdint>
#include <string_view>

#include "cli/replay/progress/checkpoints.h"
#include "common/run/secret.h"

namespace analytics::cli {

/// Checks that a file still has the content that an earlier run read, by a checksum over all lines
/// up to the position where that run stopped.
class HistoryCheck {
 public:
  /// Sets the offset up to which an earlier run has read the file, and the checksum up to there.
  void expect(const SourcePast& past) {
    expected_end_ = past.check_end;
    expected_ = past.check;
  }
  /// Adds a line, given without its line end, to the checksum.
  void add(std::string_view line) { sum_ = add_crc32(add_crc32(sum_, line), "\n"); }
  [[nodiscard]] std::uint32_t sum() const { return sum_; }
  /// Returns false if the lines added so far, which end at offset `end`, differ from those that the
  /// earlier run read.
  [[nodiscard]] bool is_same_up_to(std::uint64_t end) {
    if (expected_end_ == 0 || end < expected_end_) return true;
    const bool is_same = end == expected_end_ && sum_ == expected_;
    expected_end_ = 0;
    return is_same;
  }

 private:
  std::uint64_t expected_end_ = 0;  ///< Offset where the earlier run stopped; 0 disables the check.
  std::uint32_t expected_ = 0;
  std::uint32_t sum_ = 0;
};

}  // namespace analytics::cli
