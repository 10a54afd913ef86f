#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace analytics {

/// Calls each job at its interval, all on the same thread. A job may read files, but must leave the
/// database to the writer.
class Scheduler {
 public:
  struct Job {
    std::chrono::milliseconds every;
    std::function<void()> run;
  };

  explicit Scheduler(std::vector<Job> jobs);
  ~Scheduler();  ///< Waits for a running job to finish.

 private:
  void run();

  std::vector<Job> jobs_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace analytics
