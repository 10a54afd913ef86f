#pragma once

#include <set>

#include "daemon/store/shared_registry.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/registry/keys.h"
#include "daemon/store/sqlite/registry/sites.h"

namespace analytics::sqlite {

/// Adds the sites that a change deletes to `deleted`, and erases the sites that it creates.
/// Errors: kInternal if the change cannot be read.
[[nodiscard]] Status note_deleted_sites(const store::RegistryChange& change,
                                        std::set<SiteId>& deleted);

/// Keeps the registry equal on all nodes of a cluster: makes changes as SQLite changesets, and
/// applies those that the nodes agreed on. Owns the row of the table meta with the current
/// revision. Changes leave out values that each store records for itself: the last use of a key
/// and the first event of a site.
class SqliteSharedRegistry final : public store::SharedRegistry {
 public:
  /// Every applied change sets `changed` to all owners. The references must outlive this object.
  SqliteSharedRegistry(Connection& connection, SqliteSites& sites, SqliteKeys& keys,
                       store::ChangedOwners& changed);

  [[nodiscard]] std::optional<store::Revision> revision() const override { return revision_; }
  Result<bool> is_empty() override;
  Result<store::RegistryChange> draft(const std::function<void()>& change) override;
  Status apply(std::span<const store::RegistryStep> steps) override;
  Result<store::RegistryChange> whole() override;
  Result<std::map<std::string, std::int64_t>> spent() override;
  Result<std::vector<store::BegunImport>> imports() override;
  Status replace(std::span<const store::RegistryStep> steps) override;
  Status leave() override;

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
  SqliteSites& sites_;
  SqliteKeys& keys_;
  store::ChangedOwners& changed_;
  std::optional<store::Revision> revision_;
};

}  // namespace analytics::sqlite
