#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace analytics {

/// Holds newcomers back for a moment, so that somebody who waits for all others to leave gets his
/// turn. Any thread.
class Gate {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  /// Longer than anybody who passed takes to leave.
  static constexpr std::chrono::seconds kClosed{15};
  /// After that long in vain, whoever is still inside did not pass the gate, such as a backup.
  static constexpr std::chrono::minutes kRest{5};

  /// Closes the gate while `waits`, but for kClosed at most in each kRest. To be called again and
  /// again by the one who waits.
  void keep_closed(bool waits, TimePoint now) {
    {
      const std::scoped_lock lock(mutex_);
      if (!waiting_ || now - since_ >= kRest) since_ = now;
      waiting_ = waits;
      closed_ = waits && now - since_ < kClosed;
      if (closed_) return;
    }
    opened_.notify_all();
  }
  /// Returns when the gate is open, or after `most`: nobody is kept for good.
  void pass(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    opened_.wait_for(lock, most, [this] { return !closed_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  TimePoint since_{};     // guarded by mutex_; when it was closed first
  bool waiting_ = false;  // guarded by mutex_
  bool closed_ = false;   // guarded by mutex_
};

}  // namespace analytics
