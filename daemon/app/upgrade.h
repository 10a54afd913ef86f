#pragma once

#include <filesystem>

#include "common/io/log.h"
#include "common/text/time.h"
#include "daemon/config/config.h"
#include "daemon/store/backend.h"
#include "daemon/store/upkeep.h"

namespace analytics {

/// Prepares a database for a newer schema, before opening the store changes it: logs the upgrade
/// and copies the database, without salts, to `<database>.schema-N-TIME`. Does nothing for a new
/// file and one of this version. Throws AppError if it may not be upgraded, or cannot be copied.
/// REQUIRES: the lock.
class Upgrade {
 public:
  Upgrade(const std::filesystem::path& database, const UpgradeOptions& options,
          const store::Upkeep& upkeep, const Clock& clock, Log& log);
  /// Returns the schema that the database has after opening.
  [[nodiscard]] std::int64_t schema() const { return schemas_.newest; }
  /// Returns true if the store was empty.
  [[nodiscard]] bool is_new() const { return schemas_.stored == 0; }
  /// Logs how long an upgrade of the store took.
  void finish(const Clock& clock, Log& log) const;

 private:
  store::Schemas schemas_;
  UnixMillis begun_{};
};

}  // namespace analytics
