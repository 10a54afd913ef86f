#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "daemon/store/directory.h"
#include "daemon/store/registry_change.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/registry/keys.h"
#include "daemon/store/sqlite/registry/sites.h"

namespace analytics::sqlite {

/// Adds the sites that a change of the registry deletes to `deleted`, and takes the sites that the
/// change creates out of `deleted`. Errors: kInternal if the change cannot be read.
[[nodiscard]] Status note_deleted_sites(const store::RegistryChange& change,
                                        std::set<SiteId>& deleted);

/// The shared registry's copy in a store: makes changes as SQLite changesets, and applies those
/// that the nodes agreed on. Owns the row of the table meta with the current revision. Changes
/// leave out values that each store records for itself: the last use of a key and the first event
/// of a site. Used only on the writer thread. Errors of all functions: kOverloaded (worth
/// retrying), kInternal.
class SharedRegistry {
 public:
  /// Every applied change sets `changed` to all owners. The references must outlive this object.
  SharedRegistry(Connection& connection, Sites& sites, Keys& keys, store::ChangedOwners& changed);

  /// Returns the revision that this copy has reached; nullopt if the registry is not shared.
  [[nodiscard]] std::optional<store::Revision> revision() const { return revision_; }
  /// Returns true if the registry has no accounts, keys or sites, and never had any.
  Result<bool> is_empty();
  /// Runs `change` in a transaction, rolls it back and returns the registry changes that it made.
  /// `change` must have no other lasting effect.
  Result<store::RegistryChange> draft(const std::function<void()>& change);
  /// Applies changes that the nodes have agreed on, all or none. Also begins to remove the data of
  /// deleted sites and the events that removals select. Skips removals from before this store had
  /// its first revision. Errors: kInternal if this copy differs from the one for which the changes
  /// were drafted (the caller then calls replace()); kInvalidParameter if a newer version of the
  /// program made the changes.
  Status apply(std::span<const store::RegistryStep> steps);
  /// Returns the whole shared registry, as a change that turns an empty registry into it.
  Result<store::RegistryChange> whole();
  /// Returns for each shared table the highest id assigned so far.
  Result<std::map<std::string, std::int64_t>> spent();
  /// Returns all imports that this store has begun and not undone.
  Result<std::vector<store::BegunImport>> imports();
  /// Replaces this copy with the result of applying `steps` to an empty registry, and begins the
  /// removals among them that this store has not yet begun. Keeps the data of sites that vanish.
  /// Errors: as apply(); kInvalidParameter if a site's data would then belong to another site.
  Status replace(std::span<const store::RegistryStep> steps);
  /// Ends the sharing: from now on the registry belongs to this store alone.
  Status leave();

 private:
  void carry_out(std::span<const store::RegistryStep> steps, std::uint64_t before);
  void write_rows(const std::string& rows);
  void begin_removals(std::span<const store::RegistryStep> steps);
  void forget_removals();
  [[nodiscard]] std::map<std::string, std::int64_t> read_spent();
  void raise_spent(const std::map<std::string, std::int64_t>& spent);
  void write_revision(const store::Revision& revision);
  [[nodiscard]] std::string read_rows();
  void empty_tables();

  Connection& connection_;
  Sites& sites_;
  Keys& keys_;
  store::ChangedOwners& changed_;
  std::optional<store::Revision> revision_;
};

}  // namespace analytics::sqlite
