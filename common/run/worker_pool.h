#pragma once

#include <compare>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace analytics {

/// The owner of some work, such as an account, and a part of that owner, such as one of its sites.
/// Neither may use all threads of a pool, or have more work waiting than the queue has free
/// places: the first owner can fill half of the queue, the next a quarter, and so on, so that
/// there is always room for another (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
/// Shared-Memory Packet Switches", 1998). A free thread takes work of the owner whose last turn is
/// longest ago, then of that owner's part likewise, then the oldest work. So an owner with much
/// work cannot delay the others. 0 means no particular owner or part, and none of these limits.
struct WorkLane {
  std::int64_t owner = 0;
  std::int64_t part = 0;
  /// If true, the part uses one thread at a time, and may have only a third as much work waiting.
  bool is_serial = false;
  auto operator<=>(const WorkLane&) const = default;
};

/// Threads for blocking calls. The queue is bounded and refuses work when full.
class WorkerPool {
 public:
  /// `worker` is the number of the thread that runs the work, 0..threads+spares-1; it selects the
  /// thread's own resources, such as its database connection. Work must not throw.
  using Work = std::function<void(std::size_t worker)>;

  /// `spares` is the number of extra threads. They work only while all other threads are busy, and
  /// only for an owner (or a part without an owner) that has no running work. So the long work of
  /// one owner does not block another owner; they share the processor.
  WorkerPool(std::size_t threads, std::size_t max_queued, std::size_t spares = 0);
  ~WorkerPool();  ///< Calls stop().

  /// Finishes the queued work, then joins the threads. Other threads may still call submit(), which
  /// then returns false.
  void stop();

  /// Queues the work. Returns false if the queue is full or the pool is stopping. Any thread.
  [[nodiscard]] bool submit(Work work, WorkLane lane = {});

 private:
  struct Waiting {
    WorkLane lane;
    Work work;
  };
  /// The amounts of work of an owner, or of a part.
  struct Load {
    std::size_t waiting = 0;
    std::size_t running = 0;
    /// Number of the turn in which work of the owner or part last started; 0 before the first.
    std::uint64_t turn = 0;
  };
  static WorkLane owner_of(WorkLane lane) { return {lane.owner}; }
  bool has_place(WorkLane lane);
  bool uses_all_threads(WorkLane lane);
  bool has_thread_for(WorkLane lane, std::size_t worker);
  template <typename Change>
  void change_loads(WorkLane lane, const Change& change);
  void run(std::size_t worker);
  std::deque<Waiting>::iterator next(std::size_t worker);
  void forget_idle();

  const std::size_t regular_threads_;
  const std::size_t max_queued_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Waiting> queue_;  // guarded by mutex_
  // Load of each owner (its key has part 0) and of each owner's parts; guarded by mutex_.
  std::map<WorkLane, Load> loads_;
  std::size_t running_ = 0;  // guarded by mutex_
  std::uint64_t turns_ = 0;  // guarded by mutex_
  bool stopping_ = false;    // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace analytics
