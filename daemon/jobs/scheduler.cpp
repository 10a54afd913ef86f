#include "daemon/jobs/scheduler.h"

#include <algorithm>

namespace analytics {

Scheduler::Scheduler(std::vector<Job> jobs) : jobs_(std::move(jobs)), thread_([this] { run(); }) {}

Scheduler::~Scheduler() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Scheduler::run() {
  using Steady = std::chrono::steady_clock;
  std::vector<Steady::time_point> due(jobs_.size(), Steady::now());
  std::unique_lock lock(mutex_);
  while (!stopping_ && !jobs_.empty()) {
    const auto next = std::min_element(due.begin(), due.end());
    if (wake_.wait_until(lock, *next, [&] { return stopping_; })) return;
    const auto& job = jobs_[static_cast<std::size_t>(next - due.begin())];
    *next = Steady::now() + job.every;
    lock.unlock();
    job.run();
    lock.lock();
  }
}

}  // namespace analytics
