#include "daemon/cluster/leftovers/leftovers_worker.h"

#include <string>

namespace analytics::cluster {

LeftoversWorker::LeftoversWorker(Parts parts, ClickHouseConfig config, Leftovers::Options options)
    : parts_(std::move(parts)),
      config_(std::move(config)),
      leftovers_(
          *parts_.reader, parts_.on_writer, config_, is_ending_,
          [this](std::chrono::milliseconds time) { return wait(time); }, std::move(options)) {}

LeftoversWorker::~LeftoversWorker() { stop(); }

void LeftoversWorker::start() { thread_ = std::thread(&LeftoversWorker::run, this); }

void LeftoversWorker::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool LeftoversWorker::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, time, [this] { return is_ending_.load(); });
}

void LeftoversWorker::run() {
  std::string problem;
  while (wait(parts_.between_looks)) {
    if (!parts_.may_look()) continue;
    Status done;
    try {
      done = leftovers_.look(std::chrono::floor<std::chrono::seconds>(parts_.clock.now()));
    } catch (const std::exception& error) {  // no memory: the next look continues
      done = fail(ErrorCode::kInternal, error.what());
    }
    auto now = done || is_ending_ ? std::string() : done.error().reason();
    if (!now.empty() && now != problem) {
      parts_.log.warn("what is to leave the cluster stays until the next look", {{"reason", now}});
    }
    problem = std::move(now);
  }
}

}  // namespace analytics::cluster
