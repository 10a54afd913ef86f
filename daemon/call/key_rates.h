#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "common/text/time.h"
#include "daemon/model/api_key.h"

namespace analytics::api {

/// Counts the requests of each key. A key's hour begins with its first request. Any thread.
class KeyRates {
 public:
  /// Counts a request. Returns the time to wait if the key has made `most` requests in its hour.
  std::optional<std::chrono::seconds> take(KeyId key, std::uint64_t most, UnixSeconds now) {
    const std::scoped_lock lock(mutex_);
    auto& hour = hours_[key];
    if (now >= hour.end || now < hour.end - std::chrono::hours(1)) {  // or the clock went back
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
  std::unordered_map<KeyId, Hour> hours_;  // guarded by mutex_
};

}  // namespace analytics::api
