#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "common/log.h"
#include "common/time.h"
#include "daemon/cluster/leftovers/leftovers.h"

namespace analytics::cluster {

/// The thread that looks after leftovers.
class LeftoversWorker {
 public:
  struct Parts {
    std::unique_ptr<store::JournalReader> reader;
    Leftovers::OnWriter on_writer;
    const Clock& clock;
    Log& log;
    std::function<bool()> may_look;  ///< False: nothing is looked at yet. Any thread.
    std::chrono::milliseconds between_looks{10'000};
  };
  LeftoversWorker(Parts parts, ClickHouseConfig config, Leftovers::Options options);
  ~LeftoversWorker();  ///< Stops.

  void start();
  void stop();  ///< Gives up what is under way, and waits for it.

 private:
  void run();
  [[nodiscard]] bool wait(std::chrono::milliseconds time);

  const Parts parts_;
  const ClickHouseConfig config_;
  std::atomic<bool> is_ending_{false};
  Leftovers leftovers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace analytics::cluster
