#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "daemon/parts/part_builder.h"
#include "daemon/query/budget.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Thrown by a job whose parts cannot be made; what() says why.
struct PartsRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Takes the parts that a job makes.
class PartSink {
 public:
  virtual ~PartSink() = default;
  /// Returns when the writer has taken the part. Throws PartsRefused when nobody wants it any more.
  virtual void put(parts::PartBytes part) = 0;
  /// Ends the reading of rows, by LimitReached, once nobody wants the parts any more.
  [[nodiscard]] query::Budget budget() const {
    return {{std::chrono::hours(24), SIZE_MAX}, cancelled()};
  }

 private:
  [[nodiscard]] virtual const std::atomic<bool>& cancelled() const = 0;
};

/// Parts to be made. What the job finds out beside them may be read when it has ended.
class PartJob {
 public:
  virtual ~PartJob() = default;
  /// Makes the parts, on a thread and a connection of its own. Throws PartsRefused, and whatever
  /// else: the parts are then discarded.
  virtual void run(Connection& connection, PartSink& sink) = 0;
};

/// Does one job after another on a thread of its own. The writer starts a job, takes its parts one
/// by one and stores them; the job does not go on before.
class PartWorker final : private PartSink {
 public:
  explicit PartWorker(std::filesystem::path file) : file_(std::move(file)) {}
  ~PartWorker() override;
  PartWorker(const PartWorker&) = delete;
  PartWorker& operator=(const PartWorker&) = delete;

  enum class State {
    kIdle,     ///< start() may be called.
    kWorking,  ///< Nothing to take yet.
    kHasPart,  ///< take() has the next part.
    kDone,     ///< All parts were taken. reset() makes it idle.
    kRefused,  ///< They could not be made: reason() says why. reset() makes it idle.
  };
  [[nodiscard]] State state() const;
  /// Waits until the state is another than kWorking.
  void wait() const;
  /// REQUIRES: idle.
  void start(std::shared_ptr<PartJob> job);
  [[nodiscard]] parts::PartBytes take();
  [[nodiscard]] std::string reason() const;
  /// Ends what is under way, if anything.
  void reset();

 private:
  void put(parts::PartBytes part) override;
  [[nodiscard]] const std::atomic<bool>& cancelled() const override { return cancelled_; }
  void run();

  const std::filesystem::path file_;
  std::atomic<bool> cancelled_{false};

  mutable std::mutex mutex_;
  mutable std::condition_variable news_;
  State state_ = State::kIdle;            // guarded by mutex_, as all below
  std::shared_ptr<PartJob> job_;          // to be done
  std::optional<parts::PartBytes> part_;  // to be taken
  std::string reason_;
  bool is_busy_ = false;  // from start() until the job has ended
  bool ends_ = false;
  std::thread thread_;  // started with the first job
};

}  // namespace analytics::sqlite
