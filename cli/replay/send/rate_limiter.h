#pragma once

#include <chrono>

namespace analytics::cli {

/// Token bucket of a tenth of a second. Holds no clock: the caller passes the time.
class RateLimiter {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  /// `per_second` 0: no limit.
  RateLimiter(double per_second, TimePoint now);
  /// How long to wait before one more; zero means go, and takes a token.
  [[nodiscard]] std::chrono::nanoseconds take(TimePoint now);

 private:
  double per_second_;
  double tokens_;
  TimePoint last_;
};

}  // namespace analytics::cli
