#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/run/secret.h"
#include "common/text/time.h"
#include "daemon/model/event_selection.h"

/// The nodes of a cluster share accounts, keys, and sites with their settings. Each store has a
/// copy, and all copies apply the same changes in the same order.
namespace analytics::store {

/// A position in the order of changes.
struct Revision {
  std::uint64_t number = 0;  ///< Counted from 1.
  Digest id{};  ///< Random. Tells revisions with the same number apart after a rollback.
  bool operator==(const Revision&) const = default;
};

/// A removal of events on every node. It covers only events that were stored before it.
struct SharedRemoval {
  EventSelection what;  ///< Never names an import, because each node numbers its own.
  UnixSeconds at{};
};

/// A change to the shared registry, in a form that another store can apply.
struct RegistryChange {
  /// Rows that are added, changed and removed: a patchset or changeset of SQLite's session
  /// extension (https://www.sqlite.org/sessionintro.html). Empty: no rows.
  std::string rows;
  /// Highest id given so far, by table. Ids up to it are never given again.
  std::map<std::string, std::int64_t> spent{};
  std::optional<SharedRemoval> removal{};
  /// True if the change takes away access. It is in force once every node knows it.
  bool withdraws = false;

  [[nodiscard]] bool is_empty() const { return rows.empty() && spent.empty() && !removal; }
};

struct RegistryStep {
  Revision revision;
  RegistryChange change;
};

/// An import that a store has begun, and that was not undone.
struct BegunImport {
  std::int64_t site = 0;
  std::string name;
  std::string log;       ///< Log that it belongs to; empty: no log.
  bool is_whole = true;  ///< False: the cluster may have events of the import that the store lacks.
};

/// The shared part of a registry. Used only by the writer thread. Errors of all functions:
/// kOverloaded (worth retrying), kInternal.
class SharedRegistry {
 public:
  virtual ~SharedRegistry() = default;
  /// Returns the revision of this store; nullopt if its registry is not shared.
  [[nodiscard]] virtual std::optional<Revision> revision() const = 0;
  /// Returns true if the store has nothing to share and never had.
  virtual Result<bool> is_empty() = 0;
  /// Runs `change`, rolls it back and returns the change that it made. `change` must have no other
  /// lasting effect.
  virtual Result<RegistryChange> draft(const std::function<void()>& change) = 0;
  /// Applies changes that the nodes agreed on, all or none. Also begins to remove the data of
  /// deleted sites and the events that removals select. Skips removals from before this store had
  /// its first revision. Errors: kInternal if this copy differs from the one that the changes were
  /// drafted from (the caller then calls replace()); kInvalidParameter if a newer version made
  /// them.
  virtual Status apply(std::span<const RegistryStep> steps) = 0;
  /// Returns the whole shared registry, as a change to an empty registry.
  virtual Result<RegistryChange> whole() = 0;
  /// Returns the highest id given so far, by table.
  virtual Result<std::map<std::string, std::int64_t>> spent() = 0;
  virtual Result<std::vector<BegunImport>> imports() = 0;
  /// Replaces this copy with the result of these steps, and begins the removals among them that
  /// this store has not begun yet. Keeps the data of sites that vanish. Errors: as apply();
  /// kInvalidParameter if that data would then belong to another site.
  virtual Status replace(std::span<const RegistryStep> steps) = 0;
  /// Ends the sharing: the registry is the store's own from now on.
  virtual Status leave() = 0;
};

/// Puts the changes of all nodes of a cluster into one order. Any thread.
class ChangeOrder {
 public:
  virtual ~ChangeOrder() = default;
  /// Drafts a change. Runs on the writer thread, at most once, after this node has applied all
  /// earlier changes.
  using Draft = std::function<Result<RegistryChange>()>;
  /// Receives the result. Runs once, on any thread, after this node has made the change or it has
  /// failed. Errors: those of the draft; kRegistryStale, kRegistryNotUpgraded, kRegistryRewound.
  using Done = std::function<void(const Status&)>;
  virtual void carry_out(Draft draft, Done done) = 0;
};

}  // namespace analytics::store
