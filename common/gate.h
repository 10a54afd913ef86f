#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace analytics {

/// Holds newcomers back for a moment, so that somebody who waits for all others to leave gets his
/// turn. Any thread.
class Gate {
 public:
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  void open() {
    {
      const std::scoped_lock lock(mutex_);
      closed_ = false;
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
  bool closed_ = false;  // guarded by mutex_
};

}  // namespace analytics
