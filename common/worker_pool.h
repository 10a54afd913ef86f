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

/// Threads for blocking calls. The queue is bounded and refuses work when full.
class WorkerPool {
 public:
  /// `worker` is the number of the thread that runs the work, 0..threads-1; it selects the thread's
  /// own resources, such as its database connection. Work must not throw.
  using Work = std::function<void(std::size_t worker)>;

  WorkerPool(std::size_t threads, std::size_t max_queued);
  ~WorkerPool();  ///< Calls stop().

  /// Finishes the queued work, then joins the threads. Other threads may still call submit(), which
  /// then returns false.
  void stop();

  /// A group of work that never takes all threads, nor more than half the queue, so that it does
  /// not delay other lanes. Work of a lane starts in order of submission.
  using Lane = std::int64_t;
  static constexpr Lane kAnyLane = 0;  ///< Work without these bounds.

  /// Queues the work. Returns false if the queue is full or the pool is stopping. Any thread.
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
