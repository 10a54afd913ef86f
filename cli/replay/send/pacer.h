#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "common/time.h"

namespace analytics::cli {

/// Holds records back so that they go out as far apart as their own times say. Holds no clock.
class Pacer {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  struct Config {
    double speed = 0;  ///< How many times as fast as it happened; 0: nothing is held back.
    std::chrono::milliseconds max_gap =
        std::chrono::milliseconds::max();  ///< Between two, at most.
  };
  explicit Pacer(Config config) : config_(config) {}

  /// How long the next record of that time has to wait; zero: it goes now.
  [[nodiscard]] std::chrono::milliseconds wait(std::optional<UnixMillis> time, TimePoint now) {
    using std::chrono::milliseconds;
    if (config_.speed <= 0 || !time) return milliseconds(0);
    if (!last_) due_ = now;
    if (!next_) {  // one that is earlier than those before it waits for nothing
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
  std::optional<UnixMillis> last_;  ///< The latest time of what has gone.
  std::optional<UnixMillis> next_;  ///< The time of the record that waits.
  TimePoint due_{};
};

}  // namespace analytics::cli
