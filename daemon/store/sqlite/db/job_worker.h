#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "daemon/query/events/budget.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Thrown by Job::run() if the job cannot be done; what() gives the reason.
struct JobRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Passes the products of a job to the writer thread, one after another.
template <typename Product>
class JobSink {
 public:
  virtual ~JobSink() = default;
  /// Offers a product and waits until the writer has taken it. Throws JobRefused if the job was
  /// cancelled.
  virtual void put(Product product) = 0;
  /// Returns a budget for the job's queries. They end with LimitReached once the job is cancelled
  /// or has used up the budget. `memory`: bytes that the queries may use.
  [[nodiscard]] query::Budget budget(std::size_t memory = SIZE_MAX) const {
    return {{std::chrono::hours(24), memory}, cancelled()};
  }
  [[nodiscard]] bool is_cancelled() const { return cancelled(); }

 private:
  [[nodiscard]] virtual const std::atomic<bool>& cancelled() const = 0;
};

/// Work that runs on a thread beside the writer's and makes products, which the writer stores.
/// Other results may be read from the job after it has ended.
template <typename Product>
class Job {
 public:
  virtual ~Job() = default;
  /// Makes the products and passes them to `sink`. Called on a thread of its own, with a connection
  /// of its own. If run() throws JobRefused or another exception, the job has failed and its
  /// products are discarded.
  virtual void run(Connection& connection, JobSink<Product>& sink) = 0;
};

/// Lowers the priority of the calling thread below that of the process's other threads.
void lower_priority();

/// Runs one job after another on its own thread. The writer starts a job, then takes its products
/// one by one and stores them. The job waits until each product is taken.
template <typename Product>
class JobWorker final : private JobSink<Product> {
 public:
  explicit JobWorker(std::filesystem::path file) : file_(std::move(file)) {}
  ~JobWorker() override;
  JobWorker(const JobWorker&) = delete;
  JobWorker& operator=(const JobWorker&) = delete;

  enum class State {
    kIdle,        ///< There is no job; start() may be called.
    kWorking,     ///< The job is running and has no product ready.
    kHasProduct,  ///< A product is ready; take() returns it.
    kDone,        ///< The job is complete; reset() makes the worker idle.
    kRefused,     ///< The job failed, and reason() says why; reset() makes the worker idle.
  };
  [[nodiscard]] State state() const {
    const std::scoped_lock lock(mutex_);
    return state_;
  }
  /// Waits while the state is kWorking.
  void wait() const {
    std::unique_lock lock(mutex_);
    news_.wait(lock, [&] { return state_ != State::kWorking; });
  }
  /// Starts a job. REQUIRES: the state is kIdle.
  void start(std::shared_ptr<Job<Product>> job);
  /// Returns the next product and lets the job continue. REQUIRES: the state is kHasProduct.
  [[nodiscard]] Product take();
  /// Returns why the job failed. REQUIRES: the state is kRefused.
  [[nodiscard]] std::string reason() const {
    const std::scoped_lock lock(mutex_);
    return reason_;
  }
  /// Cancels the current job, which soon ends in the state kRefused.
  void cancel() {
    const std::scoped_lock lock(mutex_);
    if (is_busy_) cancelled_ = true;
  }
  /// Cancels the current job, if there is one, and waits for its end. The state is kIdle
  /// afterwards.
  void reset();

 private:
  void put(Product product) override;
  [[nodiscard]] const std::atomic<bool>& cancelled() const override { return cancelled_; }
  void run();

  const std::filesystem::path file_;
  std::atomic<bool> cancelled_{false};

  mutable std::mutex mutex_;
  mutable std::condition_variable news_;
  // state of the current job; guarded by mutex_, like all members below
  State state_ = State::kIdle;
  std::shared_ptr<Job<Product>> job_;  // the job that run() executes next
  std::optional<Product> product_;     // the product that take() returns next
  std::string reason_;
  bool is_busy_ = false;  // true from start() until the job has ended
  bool ends_ = false;
  std::thread thread_;  // runs all jobs; started with the first one
};

template <typename Product>
JobWorker<Product>::~JobWorker() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
    cancelled_ = true;
  }
  news_.notify_all();
  if (thread_.joinable()) thread_.join();
}

template <typename Product>
void JobWorker<Product>::start(std::shared_ptr<Job<Product>> job) {
  const std::scoped_lock lock(mutex_);
  job_ = std::move(job);
  is_busy_ = true;
  state_ = State::kWorking;
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  news_.notify_all();
}

template <typename Product>
Product JobWorker<Product>::take() {
  const std::scoped_lock lock(mutex_);
  auto product = std::move(*product_);
  product_.reset();
  state_ = State::kWorking;
  news_.notify_all();
  return product;
}

template <typename Product>
void JobWorker<Product>::reset() {
  std::unique_lock lock(mutex_);
  cancelled_ = true;
  product_.reset();
  news_.notify_all();
  // Wait for the end of the job, not for a change of state: a job that is cancelled inside put()
  // sets kHasProduct first.
  news_.wait(lock, [&] { return !is_busy_; });
  product_.reset();
  cancelled_ = false;
  state_ = State::kIdle;
}

template <typename Product>
void JobWorker<Product>::run() {
  lower_priority();
  std::unique_lock lock(mutex_);
  while (true) {
    news_.wait(lock, [&] { return ends_ || job_ != nullptr; });
    if (ends_) return;
    const auto job = std::exchange(job_, nullptr);
    lock.unlock();
    auto state = State::kDone;
    std::string reason;
    try {
      Connection connection(file_, Role::kReader);
      job->run(connection, *this);
    } catch (const std::exception& error) {
      state = State::kRefused;
      reason = error.what();
    }
    lock.lock();
    state_ = state;
    reason_ = std::move(reason);
    is_busy_ = false;
    news_.notify_all();
  }
}

template <typename Product>
void JobWorker<Product>::put(Product product) {
  std::unique_lock lock(mutex_);
  product_ = std::move(product);
  state_ = State::kHasProduct;
  news_.notify_all();
  news_.wait(lock, [&] { return !product_ || cancelled_; });
  if (cancelled_) throw JobRefused("the job was cancelled");
}

}  // namespace analytics::sqlite
