#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace analytics {

/// Calls each job at its interval, on one thread. A job may read files, but leaves the database to
/// the writer.
class Scheduler {
 public:
  struct Job {
    std::chrono::milliseconds every;
    std::function<void()> run;
  };

  explicit Scheduler(std::vector<Job> jobs);
  ~Scheduler();  ///< Ends after the job that is running.

 private:
  void run();

  std::vector<Job> jobs_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace analytics
