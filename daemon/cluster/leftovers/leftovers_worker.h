#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "common/io/log.h"
#include "common/text/time.h"
#include "daemon/cluster/leftovers/leftovers.h"
#include "daemon/cluster/stoppable_thread.h"

namespace analytics::cluster {

/// The thread that removes leftovers: rows in ClickHouse that their own node will not remove.
class LeftoversWorker {
 public:
  struct Parts {
    std::unique_ptr<sqlite::JournalReader> reader;
    Leftovers::OnWriter on_writer;
    const Clock& clock;
    Log& log;
    /// Returns false while the thread must not remove anything.
    std::function<bool()> may_look;
    std::chrono::milliseconds between_looks{10'000};  ///< Pause between calls of Leftovers::look().
  };
  LeftoversWorker(Parts parts, ClickHouseConfig config, Leftovers::Options options);
  ~LeftoversWorker() { stop(); }

  void start();
  void stop() { thread_.stop(); }  ///< Cancels the current look(), and joins the thread.

 private:
  void run();

  const Parts parts_;
  const ClickHouseConfig config_;
  StoppableThread thread_;
  Leftovers leftovers_;
};

}  // namespace analytics::cluster
