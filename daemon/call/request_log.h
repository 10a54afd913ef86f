#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "common/io/log.h"
#include "common/text/time.h"
#include "daemon/call/routes.h"

namespace analytics::api {

/// Limits the log lines per minute that clients without a key can cause. Any thread.
class LineLimit {
 public:
  static constexpr std::size_t kMaxLines = 100;  ///< Maximum number of lines per minute.

  /// Asks to write a line. Returns nullopt if it must be left out, else the number of lines that
  /// were left out since the last one that was written.
  [[nodiscard]] std::optional<std::size_t> take(std::chrono::steady_clock::time_point now);

 private:
  std::mutex mutex_;
  // time when the current minute began; guarded by mutex_
  std::chrono::steady_clock::time_point begin_{};
  std::size_t lines_ = 0;  // number of lines written in this minute; guarded by mutex_
  // number of lines left out since the last written one; guarded by mutex_
  std::size_t left_out_ = 0;
};

/// Returns true if a request that got this status may come from a client without a valid key: it
/// failed, perhaps before its key was checked. `route`: null for an unknown path.
[[nodiscard]] bool may_be_of_stranger(const Route* route, int status);

/// Returns the path of a request without personal data, as it may be logged and shown.
[[nodiscard]] std::string redacted_path(const http::Head& head);

/// Logs answered requests. Failed requests, and those to routes that need a key, are logged at info
/// level; others, such as pageviews, scripts and health checks, at debug level. Lines for failed
/// requests from clients without a key are limited by LineLimit.
class RequestLog {
 public:
  RequestLog(Log& log, const Clock& clock) : log_(log), clock_(clock) {}

  /// Logs one request and the status it got. `route`: null for an unknown path.
  void note(const Route* route, const http::Request& request, int status);

 private:
  Log& log_;
  const Clock& clock_;
  LineLimit of_strangers_;
};

}  // namespace analytics::api
