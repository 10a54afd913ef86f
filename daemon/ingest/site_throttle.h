#pragma once

#include <cstdint>
#include <unordered_map>

#include "common/time.h"
#include "daemon/model/site.h"

namespace analytics {

/// Bounds the events of each site in a minute of the clock, by their arrival. One thread.
class SiteThrottle {
 public:
  /// Whether one more is within the bound; 0: there is none.
  [[nodiscard]] bool admit(SiteId site, std::uint64_t most, UnixSeconds now) {
    if (most == 0) return true;
    const auto minute = std::chrono::floor<std::chrono::minutes>(now);
    if (minute != minute_) {
      minute_ = minute;
      events_.clear();
    }
    return ++events_[site] <= most;
  }

 private:
  std::chrono::sys_time<std::chrono::minutes> minute_{};
  std::unordered_map<SiteId, std::uint64_t> events_;
};

}  // namespace analytics
