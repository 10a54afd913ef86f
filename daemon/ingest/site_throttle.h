#pragma once

#include <cstdint>
#include <unordered_map>

#include "common/text/time.h"
#include "daemon/model/site.h"

namespace analytics {

/// Counts the events of each site that arrive in the current minute of the clock. Used by a single
/// thread.
class SiteThrottle {
 public:
  /// Returns how many more events the site may have in this minute. `most`: the site's limit per
  /// minute.
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
  /// Counts a stored event.
  void count(SiteId site) { ++events_[site]; }

 private:
  std::chrono::sys_time<std::chrono::minutes> minute_{};
  std::unordered_map<SiteId, std::uint64_t> events_;
};

}  // namespace analytics
