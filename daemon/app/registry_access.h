#pragma once

#include <atomic>
#include <cstdint>

#include "common/io/failpoint.h"
#include "daemon/cluster/registry_log.h"
#include "daemon/config/config.h"
#include "daemon/config/exit_code.h"

/// Lets commands use the registry that the nodes of a cluster share in PostgreSQL, without a
/// running daemon. All functions throw AppError.
namespace analytics {

/// Returns the version of the format in which this program writes changes to the registry.
inline std::int64_t registry_format() {
  return cluster::kRegistryFormat + (failpoint("newer_registry") ? 1 : 0);
}

/// Fails unless the settings name a registry.
inline void require_registry(const Config& config) {
  if (!config.registry.server.url.empty()) return;
  throw AppError(ExitCode::kConfig, "cluster.registry is not set");
}

/// Connects to the registry, calls `ask` with it, and returns the value of the result.
template <typename Ask>
auto ask_registry(const Config& config, const Ask& ask) {
  const std::atomic<bool> never{false};
  cluster::Postgres server(config.registry.server, never);
  value_or_throw(server.connect());
  cluster::RegistryLog log(server, config.registry.lease, registry_format());
  value_or_throw(log.open());
  return value_or_throw(ask(log));
}

/// Waits until the lease of the node with this journal has expired, then removes the node from the
/// registry. REQUIRES: no daemon ships the journal any more.
void forget_when_silent(const Config& config, const store::JournalId& journal);

}  // namespace analytics
