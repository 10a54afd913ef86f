#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace analytics::cluster {

/// A thread that ends when stop() is called. Its function must check is_stopping(), and must pause
/// with wait().
class StoppableThread {
 public:
  StoppableThread() = default;
  ~StoppableThread() { stop(); }
  StoppableThread(const StoppableThread&) = delete;
  StoppableThread& operator=(const StoppableThread&) = delete;

  void start(std::function<void()> run) { thread_ = std::thread(std::move(run)); }
  /// Makes is_stopping() true, ends a running wait(), and joins the thread.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      is_stopping_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  /// Pauses the thread for this time. Returns false, at once, if stop() was called.
  [[nodiscard]] bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return !wake_.wait_for(lock, time, [this] { return is_stopping_.load(); });
  }
  [[nodiscard]] const std::atomic<bool>& is_stopping() const { return is_stopping_; }

 private:
  std::atomic<bool> is_stopping_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace analytics::cluster
