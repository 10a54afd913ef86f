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
  /// Longest time that the gate stays closed. Users that pass the gate stay for a shorter time, so
  /// all of them have left by then.
  static constexpr std::chrono::seconds kClosed{15};
  /// Time from one closing to the next, while a thread still waits. If the thread waits longer than
  /// kClosed, the remaining user is one that does not pass the gate, such as a backup, and a closed
  /// gate would not help.
  static constexpr std::chrono::minutes kRest{5};

  /// Closes the gate while a thread waits for all users to leave (`waits`), but for at most kClosed
  /// in each kRest. That thread must call this function repeatedly.
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
  /// Waits until the gate is open, at most for the time `most`.
  void pass(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    opened_.wait_for(lock, most, [this] { return !closed_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  TimePoint since_{};     // time of the last closing; guarded by mutex_
  bool waiting_ = false;  // guarded by mutex_
  bool closed_ = false;   // guarded by mutex_
};

}  // namespace analytics
