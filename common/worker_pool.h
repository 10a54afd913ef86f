#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace analytics {

/// Threads for calls that block. Bounded: a full queue refuses instead of growing.
class WorkerPool {
 public:
  /// `worker` is the number of the thread that runs the work, 0..threads-1: it picks what that
  /// thread alone uses, such as its database connection. Work must not throw.
  using Work = std::function<void(std::size_t worker)>;

  WorkerPool(std::size_t threads, std::size_t max_queued);
  ~WorkerPool();  ///< Finishes what is queued, then joins.

  /// Any thread. False when the queue is full or the pool is stopping.
  [[nodiscard]] bool submit(Work work);

 private:
  void run(std::size_t worker);

  const std::size_t max_queued_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> queue_;  // guarded by mutex_
  bool stopping_ = false;   // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace analytics
