#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/store/directory.h"
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

/// The provisioned data of a store (sites, keys, links and the like), and a snapshot of it for
/// other threads. Used only on the writer thread, except where noted. Its members own the tables.
class Registry {
 public:
  /// `connection` must outlive this object.
  explicit Registry(Connection& connection);

  [[nodiscard]] Sites& sites() { return sites_; }
  [[nodiscard]] Keys& keys() { return keys_; }
  [[nodiscard]] AccountLinks& account_links() { return account_links_; }
  [[nodiscard]] Funnels& funnels() { return funnels_; }
  [[nodiscard]] Imports& imports() { return imports_; }
  [[nodiscard]] AlertLog& alert_log() { return alert_log_; }
  /// Returns the part of the registry that the nodes of a cluster share.
  [[nodiscard]] SharedRegistry& shared() { return shared_; }

  /// Records that a complete backup was written. Errors: kOverloaded, kInternal.
  Status note_backup(UnixSeconds at);
  /// Returns when the last complete backup was written; nullopt if never. Any thread.
  [[nodiscard]] std::optional<UnixSeconds> last_backup() const;

  /// Returns a snapshot of the whole registry. Errors: kOverloaded, kInternal.
  Result<store::Directory> directory();
  /// Returns the changes to the directory since the last call that succeeded; nullopt if there are
  /// none. The duration grows with the amount of data that the changed sites and accounts have.
  /// Errors: kOverloaded, kInternal.
  Result<std::optional<store::DirectoryChange>> take_changes();

 private:
  /// Returns a snapshot of all that the registry has for the sites and accounts in `of`. Throws
  /// SqliteError.
  store::Directory read(const store::ChangedOwners& of);

  static constexpr std::int64_t kNever = INT64_MIN;

  Connection& connection_;
  /// Time of the last backup in Unix seconds, or kNever.
  std::atomic<std::int64_t> last_backup_{kNever};
  store::ChangedOwners changed_;
  Imports imports_;
  Sites sites_;
  Keys keys_;
  AccountLinks account_links_;
  Funnels funnels_;
  AlertLog alert_log_;
  SharedRegistry shared_;
};

}  // namespace analytics::sqlite
