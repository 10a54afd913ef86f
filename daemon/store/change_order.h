#pragma once

#include <functional>

#include "common/run/result.h"
#include "daemon/store/registry_change.h"

namespace analytics::store {

/// Puts the registry changes of all nodes of a cluster into one order. Any thread.
class ChangeOrder {
 public:
  virtual ~ChangeOrder() = default;
  /// Function that drafts a change: see SharedRegistry::draft(). Runs on the writer thread, at
  /// most once, after this node has applied all earlier changes.
  using Draft = std::function<Result<RegistryChange>()>;
  /// Function that receives the result of carry_out(). Runs once, on any thread, after this node
  /// has made the change or the change has failed. Errors: those of the draft; kRegistryStale,
  /// kRegistryNotUpgraded, kRegistryRewound.
  using Done = std::function<void(const Status&)>;
  /// Drafts a change, adds it to the order and applies it; then calls `done`.
  virtual void carry_out(Draft draft, Done done) = 0;
};

}  // namespace analytics::store
