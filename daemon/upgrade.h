#pragma once

#include <filesystem>

#include "common/log.h"
#include "common/time.h"
#include "daemon/store/backend.h"
#include "daemon/store/upkeep.h"

namespace analytics {

/// What the command line says of files that an older version has written.
struct UpgradeOptions {
  bool is_allowed = true;
  bool copies_first = true;
};

/// Prepares a database for a newer schema, before opening it changes it: says so in the log and
/// copies it, without salts, to `<database>.schema-N-TIME`. Does nothing for a new file and one of
/// this version. Throws AppError when it may not be upgraded, or not be copied. REQUIRES: the lock.
class Upgrade {
 public:
  Upgrade(const std::filesystem::path& database, const UpgradeOptions& options,
          const store::Upkeep& upkeep, const Clock& clock, Log& log);
  /// What opening the store brings it to.
  [[nodiscard]] std::int64_t schema() const { return schemas_.newest; }
  /// The store was opened: says how long that took.
  void finish(const Clock& clock, Log& log) const;

 private:
  store::Schemas schemas_;
  UnixMillis begun_{};
};

}  // namespace analytics
