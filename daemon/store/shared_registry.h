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

/// The shared registry: the nodes of a cluster share accounts, keys, and sites with their
/// settings. Each node's store has a copy, and all copies apply the same changes in the same
/// order.
namespace analytics::store {

/// A position in the order of the registry's changes.
struct Revision {
  std::uint64_t number = 0;  ///< Number of the revision, from 1.
  Digest id{};  ///< Random id; tells apart revisions with the same number after a rollback.
  bool operator==(const Revision&) const = default;
};

/// A removal of events that every node carries out. It covers only events that a node has stored
/// before it begins the removal.
struct SharedRemoval {
  /// Selected events. Never selects by import, because each node numbers its own imports.
  EventSelection what;
  UnixSeconds at{};
};

/// A change to the shared registry, in a form that another store can apply.
struct RegistryChange {
  /// Rows that are added, changed and removed: a patchset or changeset of SQLite's session
  /// extension (https://www.sqlite.org/sessionintro.html). Empty if no rows change.
  std::string rows;
  /// For each table, the highest id given so far. Ids up to it are never given again.
  std::map<std::string, std::int64_t> spent{};
  /// Removal of events that the change begins, if any.
  std::optional<SharedRemoval> removal{};
  /// True if the change takes away access, for example by deleting a key. Such a change is
  /// complete only when every node has applied it.
  bool withdraws = false;

  [[nodiscard]] bool is_empty() const { return rows.empty() && spent.empty() && !removal; }
};

/// A change, and the revision that it leads to.
struct RegistryStep {
  Revision revision;
  RegistryChange change;
};

/// An import that a store has begun and not undone.
struct BegunImport {
  std::int64_t site = 0;
  std::string name;
  std::string log;       ///< Log that the import belongs to; empty for no log.
  bool is_whole = true;  ///< False if some events of the import may be only in the cluster.
};

/// The shared registry's copy in a store. Used only on the writer thread. Errors of all functions:
/// kOverloaded (worth retrying), kInternal.
class SharedRegistry {
 public:
  virtual ~SharedRegistry() = default;
  /// Returns the revision that this copy has reached; nullopt if the registry is not shared.
  [[nodiscard]] virtual std::optional<Revision> revision() const = 0;
  /// Returns true if the registry has no accounts, keys or sites, and never had any.
  virtual Result<bool> is_empty() = 0;
  /// Runs `change` in a transaction, rolls it back and returns the registry changes that it made.
  /// `change` must have no other lasting effect.
  virtual Result<RegistryChange> draft(const std::function<void()>& change) = 0;
  /// Applies changes that the nodes have agreed on, all or none. Also begins to remove the data of
  /// deleted sites and the events that removals select. Skips removals from before this store had
  /// its first revision. Errors: kInternal if this copy differs from the one for which the changes
  /// were drafted (the caller then calls replace()); kInvalidParameter if a newer version of the
  /// program made the changes.
  virtual Status apply(std::span<const RegistryStep> steps) = 0;
  /// Returns the whole shared registry, as a change that turns an empty registry into it.
  virtual Result<RegistryChange> whole() = 0;
  /// Returns for each shared table the highest id given so far.
  virtual Result<std::map<std::string, std::int64_t>> spent() = 0;
  /// Returns all imports that this store has begun and not undone.
  virtual Result<std::vector<BegunImport>> imports() = 0;
  /// Replaces this copy with the result of applying `steps` to an empty registry, and begins the
  /// removals among them that this store has not yet begun. Keeps the data of sites that vanish.
  /// Errors: as apply(); kInvalidParameter if a site's data would then belong to another site.
  virtual Status replace(std::span<const RegistryStep> steps) = 0;
  /// Ends the sharing: from now on the registry belongs to this store alone.
  virtual Status leave() = 0;
};

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
