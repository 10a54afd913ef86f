#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "daemon/store/registry.h"
#include "daemon/store/sqlite/registry/account_links.h"
#include "daemon/store/sqlite/registry/alert_log.h"
#include "daemon/store/sqlite/registry/funnels.h"
#include "daemon/store/sqlite/registry/imports.h"
#include "daemon/store/sqlite/registry/keys.h"
#include "daemon/store/sqlite/registry/shared_registry.h"
#include "daemon/store/sqlite/registry/sites.h"

namespace analytics::sqlite {

/// Returns the time of the last recorded backup; nullopt if no backup was recorded.
[[nodiscard]] std::optional<UnixSeconds> read_last_backup(Connection& connection);

/// The sites, keys, links, goals, funnels and imports of a store. Its members own the tables.
class SqliteRegistry final : public store::Registry {
 public:
  /// `connection` must outlive this object.
  explicit SqliteRegistry(Connection& connection);

  store::Sites& sites() override { return sites_; }
  store::Keys& keys() override { return keys_; }
  store::AccountLinks& account_links() override { return account_links_; }
  store::Funnels& funnels() override { return funnels_; }
  store::Imports& imports() override { return imports_; }
  store::AlertLog& alert_log() override { return alert_log_; }
  [[nodiscard]] SqliteSharedRegistry& shared() { return shared_; }
  Status note_backup(UnixSeconds at) override;
  [[nodiscard]] std::optional<UnixSeconds> last_backup() const override;
  Result<store::Directory> directory() override;
  Result<std::optional<store::DirectoryChange>> take_changes() override;

 private:
  /// Reads the rows of the owners in `of`. Throws SqliteError.
  store::Directory read(const store::ChangedOwners& of);

  static constexpr std::int64_t kNever = INT64_MIN;

  Connection& connection_;
  /// Time of the last backup in Unix seconds, or kNever.
  std::atomic<std::int64_t> last_backup_{kNever};
  store::ChangedOwners changed_;
  SqliteImports imports_;
  SqliteSites sites_;
  SqliteKeys keys_;
  SqliteAccountLinks account_links_;
  SqliteFunnels funnels_;
  SqliteAlertLog alert_log_;
  SqliteSharedRegistry shared_;
};

}  // namespace analytics::sqlite
