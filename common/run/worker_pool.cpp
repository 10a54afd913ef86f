#include "common/run/worker_pool.h"

#include <algorithm>
#include <utility>

namespace analytics {

WorkerPool::WorkerPool(std::size_t threads, std::size_t max_queued, std::size_t spares)
    : regular_threads_(threads), max_queued_(max_queued) {
  for (std::size_t i = 0; i < threads + spares; ++i) threads_.emplace_back([this, i] { run(i); });
}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

/// Returns true if the queue accepts more work of the lane.
bool WorkerPool::has_place(WorkLane lane) {
  const auto free = max_queued_ - queue_.size();
  const std::size_t places_of_each = lane.is_serial ? 3 : 1;
  return free > 0 && (lane.owner == 0 || loads_[owner_of(lane)].waiting < free) &&
         (lane.part == 0 || loads_[lane].waiting * places_of_each < free);
}

/// Returns true if the lane's owner or its part uses as many threads as it may.
bool WorkerPool::uses_all_threads(WorkLane lane) {
  const auto most = std::max<std::size_t>(regular_threads_, 2) - 1;
  return (lane.owner != 0 && loads_[owner_of(lane)].running >= most) ||
         (lane.part != 0 && loads_[lane].running >= (lane.is_serial ? 1 : most));
}

/// Returns true if this worker may run work of the lane. Spare threads, whose caches are cold,
/// wait until all others are busy.
bool WorkerPool::has_thread_for(WorkLane lane, std::size_t worker) {
  if (running_ < regular_threads_) return worker < regular_threads_;
  return loads_[lane.owner != 0 ? owner_of(lane) : lane].running == 0;
}

/// Applies `change` to the load of the lane's owner, and to the load of the lane's part.
template <typename Change>
void WorkerPool::change_loads(WorkLane lane, const Change& change) {
  change(loads_[owner_of(lane)]);
  if (lane.part != 0) change(loads_[lane]);
}

bool WorkerPool::submit(Work work, WorkLane lane) {
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_ || !has_place(lane)) return false;
    change_loads(lane, [](Load& load) { ++load.waiting; });
    queue_.push_back({lane, std::move(work)});
  }
  wake_.notify_all();  // all threads wake up, because some may not run this work
  return true;
}

/// Returns the work whose turn it is; the queue's end if the worker may run none.
std::deque<WorkerPool::Waiting>::iterator WorkerPool::next(std::size_t worker) {
  const auto turns_of = [&](WorkLane lane) {
    return std::pair(loads_[owner_of(lane)].turn, loads_[lane].turn);
  };
  auto first = queue_.end();
  for (auto at = queue_.begin(); at != queue_.end(); ++at) {
    if (!stopping_ && (uses_all_threads(at->lane) || !has_thread_for(at->lane, worker))) continue;
    if (first == queue_.end() || turns_of(at->lane) < turns_of(first->lane)) first = at;
  }
  return first;
}

/// Removes the loads of owners and parts without work, once there are many.
void WorkerPool::forget_idle() {
  constexpr std::size_t kMaxLoads = 1'000;
  if (loads_.size() < kMaxLoads) return;
  std::erase_if(loads_, [](const auto& each) {
    return each.second.waiting == 0 && each.second.running == 0;
  });
}

void WorkerPool::run(std::size_t worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    auto at = queue_.end();
    wake_.wait(lock, [&] { return (at = next(worker)) != queue_.end() || stopping_; });
    if (at == queue_.end()) return;  // the pool is stopping, and no work is left
    auto [lane, work] = std::move(*at);
    queue_.erase(at);
    ++turns_;
    ++running_;
    change_loads(lane, [this](Load& load) {
      --load.waiting;
      ++load.running;
      load.turn = turns_;
    });
    lock.unlock();
    work(worker);
    work = nullptr;  // the captures of `work` are freed before the mutex is taken
    lock.lock();
    --running_;
    change_loads(lane, [](Load& load) { --load.running; });
    forget_idle();
    wake_.notify_all();  // waiting work of this lane may be allowed to run now
  }
}

}  // namespace analytics
