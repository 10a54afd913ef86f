#pragma once

#include <atomic>

#include "daemon/cluster/registry_log.h"
#include "daemon/command_parts.h"
#include "daemon/config.h"

/// For commands that ask the registry of a cluster, without the daemon. All throw AppError.
namespace analytics {

inline void require_registry(const Config& config) {
  if (!config.registry.server.url.empty()) return;
  throw AppError(ExitCode::kConfig, "cluster.registry is not set");
}

/// Returns what `ask` returns of the registry.
template <typename Ask>
auto ask_registry(const Config& config, const Ask& ask) {
  const std::atomic<bool> never{false};
  cluster::Postgres server(config.registry.server, never);
  value_or_throw(server.connect());
  cluster::RegistryLog log(server, config.registry.lease);
  value_or_throw(log.open());
  return value_or_throw(ask(log));
}

}  // namespace analytics
