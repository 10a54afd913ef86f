#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "common/text/time.h"

namespace analytics {

/// Limits the actions of each client in the current minute of the clock. To bound the memory, all
/// counts restart if more than kMaxClients clients act in one minute. Any thread.
class AddressThrottle {
 public:
  /// Counts an action and returns true if the client has had fewer than `most` actions in this
  /// minute. `client`: key of the client from client_group().
  bool admit(const std::string& client, std::uint64_t most, UnixSeconds now) {
    const auto minute = std::chrono::floor<std::chrono::minutes>(now);
    const std::scoped_lock lock(mutex_);
    if (minute != minute_ || counts_.size() >= kMaxClients) {
      minute_ = minute;
      counts_.clear();
    }
    auto& count = counts_[client];
    return count < most && ++count > 0;
  }

 private:
  static constexpr std::size_t kMaxClients = 100'000;
  std::mutex mutex_;
  std::chrono::sys_time<std::chrono::minutes> minute_{};   // minute of counts_; guarded by mutex_
  std::unordered_map<std::string, std::uint64_t> counts_;  // actions by client; guarded by mutex_
};

}  // namespace analytics
