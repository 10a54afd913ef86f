#pragma once

#include <cstdint>
#include <optional>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/store/account_links.h"
#include "daemon/store/alert_log.h"
#include "daemon/store/directory.h"
#include "daemon/store/funnels.h"
#include "daemon/store/imports.h"
#include "daemon/store/keys.h"
#include "daemon/store/sites.h"

namespace analytics::store {

/// The provisioned data of a store (sites, keys, links and the like), and a snapshot of it for
/// other threads. Used only on the writer thread, except where noted.
class Registry {
 public:
  virtual ~Registry() = default;
  virtual Sites& sites() = 0;
  virtual Keys& keys() = 0;
  virtual AccountLinks& account_links() = 0;
  virtual Funnels& funnels() = 0;
  virtual Imports& imports() = 0;
  virtual AlertLog& alert_log() = 0;

  /// Records that a complete backup was written. Errors: kOverloaded, kInternal.
  virtual Status note_backup(UnixSeconds at) = 0;
  /// Returns when the last complete backup was written; nullopt if never. Any thread.
  [[nodiscard]] virtual std::optional<UnixSeconds> last_backup() const = 0;

  /// Returns a snapshot of the whole registry. Errors: kOverloaded, kInternal.
  virtual Result<Directory> directory() = 0;
  /// Returns the changes to the directory since the last call that succeeded; nullopt if there are
  /// none. The duration grows with the amount of data that the changed sites and accounts have.
  /// Errors: kOverloaded, kInternal.
  virtual Result<std::optional<DirectoryChange>> take_changes() = 0;
};

}  // namespace analytics::store
