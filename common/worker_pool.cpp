#include "common/worker_pool.h"

#include <algorithm>

namespace analytics {

WorkerPool::WorkerPool(std::size_t threads, std::size_t max_queued) : max_queued_(max_queued) {
  const std::scoped_lock lock(mutex_);  // threads must not read threads_ before it is complete
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this, i] { run(i); });
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

bool WorkerPool::submit(Work work, Lane lane) {
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_ || queue_.size() >= max_queued_) return false;
    if (lane != kAnyLane) {
      auto& waiting = waiting_[lane];
      if (2 * waiting >= max_queued_) return false;
      ++waiting;
    }
    queue_.push_back({lane, std::move(work)});
  }
  wake_.notify_one();
  return true;
}

/// Returns the first work whose lane may use another thread; the end if there is no such work.
std::deque<WorkerPool::Waiting>::iterator WorkerPool::next() {
  const auto most = std::max<std::size_t>(threads_.size(), 2) - 1;
  return std::find_if(queue_.begin(), queue_.end(), [&](const Waiting& each) {
    if (each.lane == kAnyLane || stopping_) return true;
    const auto found = running_.find(each.lane);
    return found == running_.end() || found->second < most;
  });
}

void WorkerPool::run(std::size_t worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    auto at = queue_.end();
    wake_.wait(lock, [&] { return (at = next()) != queue_.end() || stopping_; });
    if (at == queue_.end()) return;  // stopping, and no work is left
    auto [lane, work] = std::move(*at);
    queue_.erase(at);
    if (lane != kAnyLane) {
      ++running_[lane];
      if (--waiting_[lane] == 0) waiting_.erase(lane);
    }
    lock.unlock();
    work(worker);
    work = nullptr;  // frees its captures before taking the mutex
    lock.lock();
    if (lane == kAnyLane) continue;
    if (--running_[lane] == 0) running_.erase(lane);
    wake_.notify_all();  // other work of the lane may run now
  }
}

}  // namespace analytics
