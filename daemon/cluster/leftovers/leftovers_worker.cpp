#include "daemon/cluster/leftovers/leftovers_worker.h"

#include <string>

namespace analytics::cluster {

LeftoversWorker::LeftoversWorker(Parts parts, ClickHouseConfig config, Leftovers::Options options)
    : parts_(std::move(parts)),
      config_(std::move(config)),
      leftovers_(
          *parts_.reader, parts_.on_writer, config_, thread_.is_stopping(),
          [this](std::chrono::milliseconds time) { return thread_.wait(time); },
          std::move(options)) {}

void LeftoversWorker::start() {
  thread_.start([this] { run(); });
}

void LeftoversWorker::run() {
  std::string problem;
  while (thread_.wait(parts_.between_looks)) {
    if (!parts_.may_look()) continue;
    Status done;
    try {
      done = leftovers_.look(std::chrono::floor<std::chrono::seconds>(parts_.clock.now()));
    } catch (const std::exception& error) {  // out of memory: the next look() continues
      done = fail(ErrorCode::kInternal, error.what());
    }
    auto now = done || thread_.is_stopping() ? std::string() : done.error().reason();
    if (!now.empty() && now != problem) {
      parts_.log.warn("leftovers of nodes could not be removed; the next look continues",
                      {{"reason", now}});
    }
    problem = std::move(now);
  }
}

}  // namespace analytics::cluster
