#include "cli/replay/send/rate_limiter.h"

#include <algorithm>

namespace analytics::cli {

RateLimiter::RateLimiter(double per_second, TimePoint now)
    : per_second_(per_second), tokens_(1), last_(now) {}

std::chrono::nanoseconds RateLimiter::take(TimePoint now) {
  if (per_second_ <= 0) return std::chrono::nanoseconds(0);
  const double passed = std::chrono::duration<double>(now - last_).count();
  tokens_ = std::min(std::max(1.0, per_second_ / 10), tokens_ + passed * per_second_);
  last_ = now;
  if (tokens_ < 1) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>((1 - tokens_) / per_second_ * 1e9) +
                                    1);
  }
  tokens_ -= 1;
  return std::chrono::nanoseconds(0);
}

}  // namespace analytics::cli
