#include "daemon/store/sqlite/part_worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace analytics::sqlite {
namespace {

/// Gives a tenth of what threads get that have something to do for somebody.
constexpr int kNice = 10;

/// Lets other threads run before this one. On Linux, each thread has a priority of its own.
void give_way() { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice); }

}  // namespace

PartWorker::~PartWorker() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
    cancelled_ = true;
  }
  news_.notify_all();
  if (thread_.joinable()) thread_.join();
}

PartWorker::State PartWorker::state() const {
  const std::scoped_lock lock(mutex_);
  return state_;
}

void PartWorker::wait() const {
  std::unique_lock lock(mutex_);
  news_.wait(lock, [&] { return state_ != State::kWorking; });
}

std::string PartWorker::reason() const {
  const std::scoped_lock lock(mutex_);
  return reason_;
}

void PartWorker::start(std::shared_ptr<PartJob> job) {
  const std::scoped_lock lock(mutex_);
  job_ = std::move(job);
  is_busy_ = true;
  state_ = State::kWorking;
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  news_.notify_all();
}

parts::PartBytes PartWorker::take() {
  const std::scoped_lock lock(mutex_);
  auto part = std::move(*part_);
  part_.reset();
  state_ = State::kWorking;
  news_.notify_all();
  return part;
}

void PartWorker::reset() {
  std::unique_lock lock(mutex_);
  cancelled_ = true;
  part_.reset();
  news_.notify_all();
  // Not until the state changes: a job that is cancelled while it puts a part has one first.
  news_.wait(lock, [&] { return !is_busy_; });
  part_.reset();
  cancelled_ = false;
  state_ = State::kIdle;
}

void PartWorker::run() {
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

void PartWorker::put(parts::PartBytes part) {
  std::unique_lock lock(mutex_);
  part_ = std::move(part);
  state_ = State::kHasPart;
  news_.notify_all();
  news_.wait(lock, [&] { return !part_ || cancelled_; });
  if (cancelled_) throw PartsRefused("nobody wants it any more");
}

}  // namespace analytics::sqlite
