#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace analytics {

/// Delays new users of a resource, such as readers of a database, for a moment, so that a thread
/// that waits for all current users to leave gets its turn. Any thread.
class Gate {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  /// Longest time the gate stays closed. Every user that has passed the gate leaves sooner.
  static constexpr std::chrono::seconds kClosed{15};
  /// Time from one closing to the next, while the thread still waits. A user that stays longer than
  /// kClosed, such as a backup, did not pass the gate, so the gate need not stay closed for it.
  static constexpr std::chrono::minutes kRest{5};

  /// Closes the gate while a thread waits (`waits`), but for at most kClosed in each kRest. That
  /// thread must call this repeatedly.
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
  /// Returns when the gate is open, or after `most` at the latest.
  void pass(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    opened_.wait_for(lock, most, [this] { return !closed_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  TimePoint since_{};     // guarded by mutex_; time of the last closing
  bool waiting_ = false;  // guarded by mutex_
  bool closed_ = false;   // guarded by mutex_
};

}  // namespace analytics
