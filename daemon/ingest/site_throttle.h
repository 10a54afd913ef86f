#pragma once

#include <cstdint>
#include <unordered_map>

#include "common/time.h"
#include "daemon/model/site.h"

namespace analytics {

/// Bounds the events of each site in a minute of the clock, by their arrival. One thread.
class SiteThrottle {
 public:
  /// How many more the site may have in this minute.
  [[nodiscard]] std::uint64_t room(SiteId site, std::uint64_t most, UnixSeconds now) {
    const auto minute = std::chrono::floor<std::chrono::minutes>(now);
    if (minute != minute_) {
      minute_ = minute;
      events_.clear();
    }
    const auto found = events_.find(site);
    const auto had = found == events_.end() ? 0 : found->second;
    return had < most ? most - had : 0;
  }
  /// One was stored.
  void count(SiteId site) { ++events_[site]; }

 private:
  std::chrono::sys_time<std::chrono::minutes> minute_{};
  std::unordered_map<SiteId, std::uint64_t> events_;
};

}  // namespace analytics
