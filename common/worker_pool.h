#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace analytics {

/// Threads for calls that block. Bounded: a full queue refuses instead of growing.
class WorkerPool {
 public:
  /// `worker` is the number of the thread that runs the work, 0..threads-1: it picks what that
  /// thread alone uses, such as its database connection. Work must not throw.
  using Work = std::function<void(std::size_t worker)>;

  WorkerPool(std::size_t threads, std::size_t max_queued);
  ~WorkerPool();  ///< Stops.

  /// Finishes what is queued, then joins. Others may go on calling: they are refused.
  void stop();

  /// Work of one lane never takes all threads, nor more than half the queue, so that others are not
  /// kept waiting by it. Within a lane it runs in order of submission.
  using Lane = std::int64_t;
  static constexpr Lane kAnyLane = 0;  ///< Without these bounds.

  /// Any thread. False when the queue is full or the pool is stopping.
  [[nodiscard]] bool submit(Work work, Lane lane = kAnyLane);

 private:
  struct Waiting {
    Lane lane = kAnyLane;
    Work work;
  };
  void run(std::size_t worker);
  std::deque<Waiting>::iterator next();

  const std::size_t max_queued_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Waiting> queue_;                      // guarded by mutex_
  std::unordered_map<Lane, std::size_t> running_;  // guarded by mutex_; threads by lane
  std::unordered_map<Lane, std::size_t> waiting_;  // guarded by mutex_; queued by lane
  bool stopping_ = false;                          // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace analytics
