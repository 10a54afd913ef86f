#pragma once

#include <atomic>
#include <cstdint>

#include "common/io/failpoint.h"
#include "daemon/cluster/registry_log.h"
#include "daemon/config/config.h"
#include "daemon/config/exit_code.h"

/// Access to the registry of a cluster for commands, without the daemon. Functions throw AppError.
namespace analytics {

/// Returns the format of the changes that this program makes.
inline std::int64_t registry_format() {
  return cluster::kRegistryFormat + (failpoint("newer_registry") ? 1 : 0);
}

inline void require_registry(const Config& config) {
  if (!config.registry.server.url.empty()) return;
  throw AppError(ExitCode::kConfig, "cluster.registry is not set");
}

/// Connects to the registry, and returns the result of `ask`.
template <typename Ask>
auto ask_registry(const Config& config, const Ask& ask) {
  const std::atomic<bool> never{false};
  cluster::Postgres server(config.registry.server, never);
  value_or_throw(server.connect());
  cluster::RegistryLog log(server, config.registry.lease, registry_format());
  value_or_throw(log.open());
  return value_or_throw(ask(log));
}

/// Removes the node with this journal from the registry after its lease has ended. REQUIRES: no
/// daemon ships the journal any more.
void forget_when_silent(const Config& config, const store::JournalId& journal);

}  // namespace analytics
