#include "daemon/query/part_runner.h"

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace analytics::query {
namespace {

/// Minimum number of parts per thread. Fewer parts are not worth the start of a thread.
constexpr std::size_t kPartsOfThread = 2;

}  // namespace

void PartRunner::run(std::span<const PartId> parts, const MakeTask& make) {
  parts_ = parts;
  {
    std::vector<std::jthread> helpers;
    while (parts.size() >= kPartsOfThread * (helpers.size() + 2)) {
      auto core = cores_.borrow();
      if (!core) break;
      try {
        helpers.emplace_back([this, &make, core = std::move(*core)] { work(make, true); });
      } catch (const std::system_error&) {  // the system cannot start another thread
        break;
      }
    }
    work(make, false);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void PartRunner::work(const MakeTask& make, bool is_helper) {
  std::unique_lock lock(mutex_);
  while (!parts_.empty() && !(is_helper && cores_.are_short())) {
    const auto part = parts_.front();
    parts_ = parts_.subspan(1);
    try {
      const auto task = make(part);
      lock.unlock();
      task->run();
      lock.lock();
      task->finish();
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      if (!failure_) failure_ = std::current_exception();
      parts_ = {};
    }
  }
}

}  // namespace analytics::query
