#include "daemon/jobs/watchdog.h"

#include <utility>

namespace analytics {

Watchdog::Watchdog(std::vector<Ping> threads)
    : threads_(std::move(threads)), waiting_(std::make_shared<std::atomic<std::size_t>>(0)) {}

bool Watchdog::is_alive() {
  if (*waiting_ > 0) return false;
  *waiting_ = threads_.size();
  for (const auto& ping : threads_) ping([waiting = waiting_] { --*waiting; });
  return true;
}

}  // namespace analytics
