#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

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

}  // namespace analytics::store
