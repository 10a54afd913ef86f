#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>

#include "common/io/log.h"
#include "common/text/time.h"
#include "daemon/call/routes.h"

namespace analytics::api {

/// Bounds the lines of a log that strangers can cause. Any thread.
class LineLimit {
 public:
  static constexpr std::size_t kMostLines = 100;  ///< In a minute.

  /// Returns nullopt if another line would be too many, else the number of lines left out since the
  /// last one.
  [[nodiscard]] std::optional<std::size_t> take(std::chrono::steady_clock::time_point now);

 private:
  std::mutex mutex_;
  std::chrono::steady_clock::time_point begin_{};  // of this minute; guarded by mutex_
  std::size_t lines_ = 0;                          // in this minute; guarded by mutex_
  std::size_t left_out_ = 0;                       // guarded by mutex_
};

/// Returns true if a request with this answer may come from somebody without a key: it failed,
/// perhaps before the key was looked up. `route`: null for an unknown path.
[[nodiscard]] bool may_be_of_stranger(const Route* route, int status);

/// Logs answered requests: at info level those of routes that need a key, and those that failed;
/// others, such as pageviews, scripts and health checks, at debug level. The lines of failed
/// requests that may come from strangers are limited.
class RequestLog {
 public:
  RequestLog(Log& log, const Clock& clock) : log_(log), clock_(clock) {}

  /// `route`: null for an unknown path.
  void note(const Route* route, const http::Request& request, int status);

 private:
  Log& log_;
  const Clock& clock_;
  LineLimit of_strangers_;
};

}  // namespace analytics::api
