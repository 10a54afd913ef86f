#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "common/text/time.h"
#include "daemon/model/api_key.h"

namespace analytics::api {

/// Limits the requests of each API key per hour. A key's hour begins with its first request. Any
/// thread.
class KeyRates {
 public:
  /// Counts a request and returns nullopt. If the key has already made `most` requests in its hour,
  /// returns the time until the hour ends instead.
  std::optional<std::chrono::seconds> take(KeyId key, std::uint64_t most, UnixSeconds now) {
    const std::scoped_lock lock(mutex_);
    auto& hour = hours_[key];
    // `now` before the hour's beginning means that the clock was set back.
    if (now >= hour.end || now < hour.end - std::chrono::hours(1)) {
      hour = {now + std::chrono::hours(1), 0};
    }
    if (hour.requests >= most) return hour.end - now;
    ++hour.requests;
    return std::nullopt;
  }

 private:
  struct Hour {
    UnixSeconds end{};
    std::uint64_t requests = 0;
  };
  std::mutex mutex_;
  std::unordered_map<KeyId, Hour> hours_;  // current hour of each key; guarded by mutex_
};

}  // namespace analytics::api
