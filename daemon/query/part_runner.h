#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "daemon/query/events/cores.h"
#include "daemon/query/events/event_part.h"

namespace analytics::query {

/// The work of a query on a part. Tasks are created, and finish() is called, under the runner's
/// mutex(), so the constructor and finish() may use the EventSource and the state that all tasks of
/// a query share.
class PartTask {
 public:
  virtual ~PartTask() = default;
  /// Reads the part while other tasks run. Must lock the runner's mutex() to use shared state.
  virtual void run() = 0;
  /// Adds the results to the shared state, after run().
  virtual void finish() = 0;
};

/// Runs a task for each part, on the calling thread and on idle cores.
class PartRunner {
 public:
  explicit PartRunner(Cores& cores) : cores_(cores) {}  ///< `cores` must outlive the object.

  using MakeTask = std::function<std::unique_ptr<PartTask>(PartId)>;
  /// Returns after all tasks have ended. If a task throws, no further task begins, and run() throws
  /// the first exception.
  void run(std::span<const PartId> parts, const MakeTask& make);
  [[nodiscard]] std::mutex& mutex() { return mutex_; }

 private:
  void work(const MakeTask& make, bool is_helper);

  Cores& cores_;
  std::mutex mutex_;
  std::span<const PartId> parts_;  ///< Parts without a task so far; guarded by mutex_.
  std::exception_ptr failure_;     ///< First exception of a task; guarded by mutex_.
};

}  // namespace analytics::query
