#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/secret.h"
#include "common/time.h"
#include "daemon/model/event_selection.h"

/// Sites with what belongs to them, accounts and keys are shared by the nodes of a cluster: each
/// store has a copy, and all copies go through the same changes in the same order.
namespace analytics::store {

/// A place in the order of changes, counted from 1.
struct Revision {
  std::uint64_t number = 0;
  Digest id{};  ///< Random: an order that was taken back and went on otherwise has another.
  bool operator==(const Revision&) const = default;
};

/// Events that are to leave on every node, of those that were stored before.
struct SharedRemoval {
  EventSelection what;  ///< Of no import: those are numbered by each node.
  UnixSeconds at{};
};

/// What is changed of shared things, in a form that another store can carry out.
struct RegistryChange {
  /// Rows that are added, changed and removed: a patchset or changeset of SQLite's session
  /// extension (https://www.sqlite.org/sessionintro.html). Empty: none.
  std::string rows;
  /// The greatest numbers that were given, by table: none of them is given again.
  std::map<std::string, std::int64_t> spent{};
  std::optional<SharedRemoval> removal{};
  /// Somebody can do or see less than before: it counts once every node knows it.
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
  std::string log;       ///< That it is of with others; empty: of none.
  bool is_whole = true;  ///< False: the cluster may have events of it that the store has not.
};

/// The shared part of a registry. The writer thread alone uses it. Errors of all: kOverloaded
/// (worth retrying), kInternal.
class SharedRegistry {
 public:
  virtual ~SharedRegistry() = default;
  /// The revision that this store is at; nullopt if its registry is its own.
  [[nodiscard]] virtual std::optional<Revision> revision() const = 0;
  /// True if there is nothing that could be shared, and never was.
  virtual Result<bool> is_empty() = 0;
  /// Makes a change of the registry, and takes it back. Returns what it was. Nothing else may be
  /// changed by it for good.
  virtual Result<RegistryChange> draft(const std::function<void()>& change) = 0;
  /// Makes changes that are agreed on, all or none, and what they mean to this store alone: what
  /// deleted sites have stored is to leave, and what removals name, unless they were made before
  /// the store had its first revision. Errors: kInternal if this copy differs from the one that
  /// they were drafted from, after which the caller calls replace(); kInvalidParameter if a newer
  /// version made them.
  virtual Status apply(std::span<const RegistryStep> steps) = 0;
  /// Returns all of it, as a change of an empty registry.
  virtual Result<RegistryChange> whole() = 0;
  /// Returns the greatest numbers that were given, by table.
  virtual Result<std::map<std::string, std::int64_t>> spent() = 0;
  virtual Result<std::vector<BegunImport>> imports() = 0;
  /// Puts the outcome of these steps in the place of what is there, and has events leave that those
  /// name which the store did not have. What vanished sites have stored
  /// stays. Errors: as apply(); kInvalidParameter if it would become that of other sites, too.
  virtual Status replace(std::span<const RegistryStep> steps) = 0;
  /// The registry is the store's own from now on.
  virtual Status leave() = 0;
};

/// Brings the changes of all nodes of a cluster into one order. Any thread may call.
class ChangeOrder {
 public:
  virtual ~ChangeOrder() = default;
  /// Runs on the writer thread, once or not at all, after all earlier changes have arrived here.
  using Draft = std::function<Result<RegistryChange>()>;
  /// Runs once, on any thread: after the change has been made here, or why it has not. Errors:
  /// those of the draft; kRegistryStale, kRegistryNotUpgraded, kRegistryRewound.
  using Done = std::function<void(const Status&)>;
  virtual void carry_out(Draft draft, Done done) = 0;
};

}  // namespace analytics::store
