#pragma once

#include <filesystem>

#include "common/io/log.h"
#include "common/text/time.h"
#include "daemon/config/config.h"
#include "daemon/store/upkeep.h"

namespace analytics {

/// Prepares the upgrade of a database to a newer schema. Opening the store then upgrades it.
class Upgrade {
 public:
  /// If the database has an older schema, logs the upgrade and copies the database, without salts,
  /// to `<database>.schema-N-TIME`. Throws AppError if the options forbid the upgrade, or the
  /// database cannot be copied. `schemas`: those of the database. REQUIRES: the caller holds the
  /// database's lock.
  Upgrade(const std::filesystem::path& database, const store::Schemas& schemas,
          const UpgradeOptions& options, const Clock& clock, Log& log);
  /// Returns the schema version that the database has once it is open.
  [[nodiscard]] std::int64_t schema() const { return schemas_.newest; }
  /// Returns true if there was no database yet.
  [[nodiscard]] bool is_new() const { return schemas_.stored == 0; }
  /// Logs how long the upgrade took, if there was one. Call it after opening the store.
  void finish(const Clock& clock, Log& log) const;

 private:
  store::Schemas schemas_;
  UnixMillis begun_{};
};

}  // namespace analytics
