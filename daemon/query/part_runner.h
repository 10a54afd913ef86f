#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "daemon/query/cores.h"
#include "daemon/query/event_part.h"

namespace analytics::query {

/// What a query does with one part. It is made and finished under the runner's mutex(): there it
/// may use the source, and what the tasks of a query share.
class PartTask {
 public:
  virtual ~PartTask() = default;
  /// Reads the part, while other tasks run. What they share is used under the runner's mutex().
  virtual void run() = 0;
  virtual void finish() = 0;
};

/// Runs a task for each part, on this thread and on cores that are idle.
class PartRunner {
 public:
  explicit PartRunner(Cores& cores) : cores_(cores) {}  ///< `cores` must outlive the object.

  using MakeTask = std::function<std::unique_ptr<PartTask>(PartId)>;
  /// Returns when all tasks have ended. Throws what the first one to fail throws; those that have
  /// not begun are then left out.
  void run(std::span<const PartId> parts, const MakeTask& make);
  [[nodiscard]] std::mutex& mutex() { return mutex_; }

 private:
  void work(const MakeTask& make, bool is_helper);

  Cores& cores_;
  std::mutex mutex_;
  std::span<const PartId> parts_;  // those to come; guarded by mutex_, as failure_ is
  std::exception_ptr failure_;
};

}  // namespace analytics::query
