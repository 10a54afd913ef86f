#pragma once

#include <cstdint>
#include <optional>

#include "common/result.h"
#include "common/time.h"
#include "daemon/store/account_links.h"
#include "daemon/store/alert_log.h"
#include "daemon/store/directory.h"
#include "daemon/store/funnels.h"
#include "daemon/store/imports.h"
#include "daemon/store/keys.h"
#include "daemon/store/sites.h"

namespace analytics::store {

/// The data that provisioning changes, and a snapshot of it for other threads. Used only by the
/// writer thread.
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
  /// Returns when the last backup was written. Any thread.
  [[nodiscard]] virtual std::optional<UnixSeconds> last_backup() const = 0;

  /// Errors: kOverloaded, kInternal.
  virtual Result<Directory> directory() = 0;
  /// Returns a number that changes with every change that directory() shows.
  [[nodiscard]] virtual std::uint64_t revision() const = 0;
};

}  // namespace analytics::store
