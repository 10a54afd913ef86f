#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "common/text/time.h"

namespace analytics::cli {

/// Computes delays so that the intervals between records match their timestamps. The caller passes
/// the current time.
class Pacer {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  struct Config {
    double speed = 0;  ///< Replay speed, as a multiple of real time; 0 disables delays.
    /// Longest delay between two records.
    std::chrono::milliseconds max_gap = std::chrono::milliseconds::max();
  };
  explicit Pacer(Config config) : config_(config) {}

  /// Returns how long to wait before the next record, with timestamp `time`, is sent. If the
  /// result is not zero, call wait() again for the same record after that time.
  [[nodiscard]] std::chrono::milliseconds wait(std::optional<UnixMillis> time, TimePoint now) {
    using std::chrono::milliseconds;
    if (config_.speed <= 0 || !time) return milliseconds(0);
    if (!last_) due_ = now;
    if (!next_) {  // a record earlier than its predecessors does not wait
      const auto gap = std::max(*time - last_.value_or(*time), milliseconds(0));
      const auto scaled = static_cast<double>(gap.count()) / config_.speed;
      const auto most = static_cast<double>(std::min(config_.max_gap, kLongest).count());
      due_ += milliseconds(static_cast<std::int64_t>(std::min(scaled, most)));
      next_ = time;
    }
    if (due_ > now) return std::chrono::ceil<milliseconds>(due_ - now);
    last_ = std::max(last_.value_or(*next_), *next_);
    next_.reset();
    return milliseconds(0);
  }

 private:
  static constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24 * 365);

  const Config config_;
  std::optional<UnixMillis> last_;  ///< Latest timestamp of the records sent so far.
  std::optional<UnixMillis> next_;  ///< Timestamp of the waiting record.
  TimePoint due_{};
};

}  // namespace analytics::cli
