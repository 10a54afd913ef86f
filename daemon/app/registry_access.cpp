#include "daemon/app/registry_access.h"

#include <chrono>
#include <iostream>
#include <thread>

namespace analytics {
namespace {

constexpr std::chrono::seconds kBetweenTries{2};
constexpr std::chrono::seconds kAfterLease{10};

}  // namespace

void forget_when_silent(const Config& config, const store::JournalId& journal) {
  const auto until = std::chrono::steady_clock::now() + config.registry.lease + kAfterLease;
  ask_registry(config, [&](cluster::RegistryLog& log) -> Status {
    for (bool is_first = true;; is_first = false) {
      auto removed = log.remove(journal);
      if (removed || removed.error().code == ErrorCode::kNotFound) return {};
      const bool may_wait = removed.error().code == ErrorCode::kInvalidParameter &&
                            std::chrono::steady_clock::now() < until;
      if (!may_wait) return removed;
      if (is_first) std::cerr << "waiting for the node's lease to expire\n";
      std::this_thread::sleep_for(kBetweenTries);
    }
  });
}

}  // namespace analytics
