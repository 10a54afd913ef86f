#pragma once

#include <chrono>

namespace analytics::cli {

/// A token bucket that holds at most the tokens of 0.1 s, or one if that is more. The caller
/// passes the current time.
class RateLimiter {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  /// `per_second` is the number of tokens per second; 0 means no limit.
  RateLimiter(double per_second, TimePoint now);
  /// Takes a token and returns zero, or returns how long to wait for one.
  [[nodiscard]] std::chrono::nanoseconds take(TimePoint now);

 private:
  double per_second_;
  double tokens_;
  TimePoint last_;
};

}  // namespace analytics::cli
