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

#include "daemon/query/budget.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Thrown by a job that cannot be done; what() says why.
struct JobRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Takes what a job makes, one product after another.
template <typename Product>
class JobSink {
 public:
  virtual ~JobSink() = default;
  /// Returns when the writer has taken the product. Throws JobRefused when nobody wants it any
  /// more.
  virtual void put(Product product) = 0;
  /// Ends the reading of rows, by LimitReached, once nobody wants the products any more.
  /// `memory`: bytes that the reading may use.
  [[nodiscard]] query::Budget budget(std::size_t memory = SIZE_MAX) const {
    return {{std::chrono::hours(24), memory}, cancelled()};
  }
  [[nodiscard]] bool is_cancelled() const { return cancelled(); }

 private:
  [[nodiscard]] virtual const std::atomic<bool>& cancelled() const = 0;
};

/// Work beside the writer. What the job finds out beside its products may be read when it has
/// ended.
template <typename Product>
class Job {
 public:
  virtual ~Job() = default;
  /// Makes the products, on a thread and a connection of its own. Throws JobRefused, and whatever
  /// else: the products are then discarded.
  virtual void run(Connection& connection, JobSink<Product>& sink) = 0;
};

/// Lets other threads of this process run before the calling one.
void give_way();

/// Does one job after another on a thread of its own. The writer starts a job, takes its products
/// one by one and stores them; the job does not go on before.
template <typename Product>
class JobWorker final : private JobSink<Product> {
 public:
  explicit JobWorker(std::filesystem::path file) : file_(std::move(file)) {}
  ~JobWorker() override;
  JobWorker(const JobWorker&) = delete;
  JobWorker& operator=(const JobWorker&) = delete;

  enum class State {
    kIdle,        ///< start() may be called.
    kWorking,     ///< Nothing to take yet.
    kHasProduct,  ///< take() has the next product.
    kDone,        ///< All were taken. reset() makes it idle.
    kRefused,     ///< They could not be made: reason() says why. reset() makes it idle.
  };
  [[nodiscard]] State state() const {
    const std::scoped_lock lock(mutex_);
    return state_;
  }
  /// Waits until the state is another than kWorking.
  void wait() const {
    std::unique_lock lock(mutex_);
    news_.wait(lock, [&] { return state_ != State::kWorking; });
  }
  /// REQUIRES: idle.
  void start(std::shared_ptr<Job<Product>> job);
  [[nodiscard]] Product take();
  [[nodiscard]] std::string reason() const {
    const std::scoped_lock lock(mutex_);
    return reason_;
  }
  /// What is under way ends soon, as refused.
  void cancel() {
    const std::scoped_lock lock(mutex_);
    if (is_busy_) cancelled_ = true;
  }
  /// Ends what is under way, if anything, and waits for it.
  void reset();

 private:
  void put(Product product) override;
  [[nodiscard]] const std::atomic<bool>& cancelled() const override { return cancelled_; }
  void run();

  const std::filesystem::path file_;
  std::atomic<bool> cancelled_{false};

  mutable std::mutex mutex_;
  mutable std::condition_variable news_;
  State state_ = State::kIdle;         // guarded by mutex_, as all below
  std::shared_ptr<Job<Product>> job_;  // to be done
  std::optional<Product> product_;     // to be taken
  std::string reason_;
  bool is_busy_ = false;  // from start() until the job has ended
  bool ends_ = false;
  std::thread thread_;  // started with the first job
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
  // Not until the state changes: a job that is cancelled while it puts a product has one first.
  news_.wait(lock, [&] { return !is_busy_; });
  product_.reset();
  cancelled_ = false;
  state_ = State::kIdle;
}

template <typename Product>
void JobWorker<Product>::run() {
  give_way();
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
  if (cancelled_) throw JobRefused("nobody wants it any more");
}

}  // namespace analytics::sqlite
